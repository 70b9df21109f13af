/* SPDX-License-Identifier: GPL-2.0-only */
/* The formats of the test, a line for each; every file that includes this defines SITE(). */

SITE("no argument\n");
SITE("number=%d\n", -42);
SITE("%i without a name, twice %i\n", 7, -7);
SITE("u=%u x=%x X=%X o=%o #x=%#x #o=%#o\n", 42u, 0xabcu, 0xabcu, 8u, 0xabcu, 8u);
SITE("same=%d same=%d arg1=%d\n", 1, 2, 3);
SITE("hh=%hhd uhh=%hhu xhh=%hhx h=%hd uh=%hu\n", -3, 253, 0x12, -300, 65000);
SITE("over hh=%hhd uhh=%hhu h=%hd uh=%hu\n", 0x1ff, 0x1fe, 0x1fffe, 0x1fffd);
SITE("l=%ld ul=%lu xl=%lx\n", -1234567890L, 1234567890UL, 0xfedcba98UL);
SITE("ll=%lld ull=%llu xll=%#llx\n", -1234567890123LL, ~0ULL, 0x123456789abcdefULL);
SITE("L=%Ld uL=%Lu\n", -1234567890123LL, 1234567890123ULL);
SITE("z=%zu sz=%zd t=%td\n", (size_t)123456, (ssize_t)-5, (ptrdiff_t)-9);
SITE("width=%8d| left=%-8d| zero=%08d| plus=%+d space=% d\n", 42, 42, 42, 42, 42);
SITE("precision=%.5d both=%8.5d\n", 42, 42);
SITE("star=%*d negative=%*d\n", 6, 42, -6, 42);
SITE("star.=%.*d both=%*.*d\n", 5, 42, 8, 5, 42);
SITE("char=%c wide=%3c| left=%-3c|\n", 'a', 'b', 'c');
SITE("percent=100%% of %d%%\n", 50);
SITE("string=%s\n", test_string);
SITE("string=%s empty=%s| last=%s\n", test_string, "", "end");
SITE("padded=%20s| left=%-20s|\n", test_string, test_string);
SITE("precision=%.3s padded=%8.3s| none=%.0s|\n", test_string, test_string, test_string);
SITE("star=%*s| left=%-*s| clip=%.*s|\n", 12, test_string, 12, test_string, 4, test_string);
SITE("not terminated=%.4s star=%.*s\n", test_bytes, 4, test_bytes);
SITE("null=%s null.=%.3s padded=%10s|\n", test_null, test_null, test_null);
SITE("error=%s small=%s\n", (char *)ERR_PTR(-ENOENT), test_small);
SITE("error.=%.4s\n", (char *)ERR_PTR(-EIO));
SITE("'%s' \"%s\" \\%s\\ {%s}\n", "quoted", "quoted", "slashed", "braced");
SITE("pointer=%p\n", test_string);
SITE("padded=%20p| left=%-20p|\n", test_string, test_string);
SITE("null=%p error=%p\n", NULL, ERR_PTR(-EPERM));
SITE("raw=%px padded=%20px|\n", (void *)0x1234, (void *)0x5678);
SITE("restricted=%pK\n", test_string);
SITE("symbol=%ps with offset=%pS, %pSR, backtrace=%pB\n", free_netdev, free_netdev,
	free_netdev, free_netdev);
SITE("errno=%pe number=%d\n", ERR_PTR(-ENOMEM), -ENOMEM);
SITE("mac=%pM small=%pm reversed=%pMR dashes=%pMF\n", test_bytes, test_bytes, test_bytes,
	test_bytes);
SITE("v4=%pI4 v4.=%pi4 v6=%pI6 v6c=%pI6c\n", test_bytes, test_bytes, test_bytes, test_bytes);
SITE("v4 host=%pI4h port=%u\n", test_bytes, 80);
SITE("uuid=%pUb big=%pUB little=%pUl\n", test_bytes, test_bytes, test_bytes);
SITE("hex=%6ph colons=%6phC dashes=%6phD none=%6phN star=%*ph\n", test_bytes, test_bytes,
	test_bytes, test_bytes, 3, test_bytes);
SITE("bits=%16pb list=%16pbl star=%*pbl\n", test_bits, test_bits, 16, test_bits);
SITE("escaped=%*pE\n", 8, "a\tb\nc\\d");
SITE("physical=%pa dma=%pad resource=%pr\n", &test_phys, &test_dma, &test_resource);
SITE("fourcc=%p4cc\n", &test_fourcc);
SITE("bad mac=%pM bad v4=%pI4 null mac=%pM\n", ERR_PTR(-EINVAL), test_small, test_null);
SITE("message=%pV end=%d\n", &vaf, 5);
SITE("common_refused_as_a_field=%d \xc3\xa9=%d\n", 1, 2);
SITE("prefix=%d device=%d interface=%d common_pid=%d\n", 1, 2, 3, 4);
SITE("1=%d 2=%u 3=%lld 4=%s 5=%p 6=%x 7=%c 8=%hd 9=%zu 10=%px 11=%ld 12=%s\n", 1, 2u, 3LL,
	test_string, test_string, 6, '7', 8, (size_t)9, (void *)10, 11L, "twelve");
SITE("no newline=%d", 1);
SITE("\ttab\tinside=%d\n", 1);
SITE("long=%s\n", test_long);
