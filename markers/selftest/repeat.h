/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * X(n000) to X(n999): statements that need a number of their own.  Let @n not
 * begin with 0, or the numbers are octal.
 */
#ifndef MARKERS_SELFTEST_REPEAT_H
#define MARKERS_SELFTEST_REPEAT_H

#define REPEAT_10(X, n)							\
	X(n##0) X(n##1) X(n##2) X(n##3) X(n##4)				\
	X(n##5) X(n##6) X(n##7) X(n##8) X(n##9)
#define REPEAT_100(X, n)						\
	REPEAT_10(X, n##0) REPEAT_10(X, n##1) REPEAT_10(X, n##2)	\
	REPEAT_10(X, n##3) REPEAT_10(X, n##4) REPEAT_10(X, n##5)	\
	REPEAT_10(X, n##6) REPEAT_10(X, n##7) REPEAT_10(X, n##8)	\
	REPEAT_10(X, n##9)
#define REPEAT_1000(X, n)						\
	REPEAT_100(X, n##0) REPEAT_100(X, n##1) REPEAT_100(X, n##2)	\
	REPEAT_100(X, n##3) REPEAT_100(X, n##4) REPEAT_100(X, n##5)	\
	REPEAT_100(X, n##6) REPEAT_100(X, n##7) REPEAT_100(X, n##8)	\
	REPEAT_100(X, n##9)

#endif
