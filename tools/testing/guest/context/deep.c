// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes "1" to the file it is given, from three functions deep, all with frame
 * pointers; from a second thread of the name "deep thread" if it has a second argument.
 */
#include <err.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#define noinline	__attribute__((__noinline__))

static const char *path;

/* Not by libc, whose write() has no frame; and who asks for a frame has one. */
#ifdef __aarch64__
noinline int deep_write(int fd)
{
	register long number asm("x8") = SYS_write;
	register long ret asm("x0") = fd;
	register const char *text asm("x1") = "1\n";
	register long len asm("x2") = 2;

	asm volatile("svc 0" : "+r" (ret)
		     : "r" (number), "r" (text), "r" (len),
		       "r" (__builtin_frame_address(0)) : "memory");
	return ret == 2 ? 0 : 1;
}
#else
noinline int deep_write(int fd)
{
	long ret;

	asm volatile("syscall" : "=a" (ret)
		     : "0" (SYS_write), "D" (fd), "S" ("1\n"), "d" (2),
		       "r" (__builtin_frame_address(0)) : "rcx", "r11", "memory");
	return ret == 2 ? 0 : 1;
}
#endif

noinline int deep_middle(int fd)
{
	int ret = deep_write(fd);

	asm volatile("" : "+r" (ret));
	return ret;
}

noinline int deep_outer(int fd)
{
	int ret = deep_middle(fd);

	asm volatile("" : "+r" (ret));
	return ret;
}

static void *in_thread(void *name)
{
	int fd = open(path, O_WRONLY);

	if (name)
		prctl(PR_SET_NAME, name);
	if (fd < 0 || deep_outer(fd))
		err(1, "%s", path);
	return name;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	if (argc < 2)
		errx(2, "which file?");
	path = argv[1];
	if (argc < 3)
		in_thread(NULL);
	else if (pthread_create(&thread, NULL, in_thread, "deep thread") ||
		 pthread_join(thread, NULL))
		errx(1, "no thread");
	return 0;
}
