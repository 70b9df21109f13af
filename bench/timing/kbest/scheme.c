// SPDX-License-Identifier: GPL-2.0-only
/* K-best of work of several lengths, over the counter and over the clock. */
#include <stdio.h>
#include "experiments.h"
#include "tsc.h"

static const char *const clocks[] = { "counter", "gettime" };

static void print(const struct kbest_result *result, const struct kbest_scheme *scheme,
		  unsigned int us, double expected_ns)
{
	double ns = result->cycles;
	unsigned int i;

	if (scheme->clock == KBEST_COUNTER)
		ns = tsc_cycles2Nsec_D2D(ns);
	printf("best\t%s\t%u\t%.3f\t%.3f\t%u\t%lu\t%.6f\t%u\n", clocks[scheme->clock], us,
	       expected_ns, ns, result->runs, result->calls, result->spread, result->converged);
	for (i = 0; i < result->runs; i++)
		printf("run\t%s\t%u\t%u\t%.3f\n", clocks[scheme->clock], us, i, result->all[i]);
}

int scheme_run(const struct options *options)
{
	double per_loop = work_measure();
	struct kbest_scheme scheme = options->scheme;
	struct kbest_result result;
	unsigned long loops;
	unsigned int i;

	print_head("best\tclock\tus\texpected_ns\tns\truns\tcalls\tspread\tconverged");
	printf("run\tclock\tus\tnumber\tvalue\n#value\tcycles of the counter, ns of gettime\n");
	printf("#scheme\tN %u, K %u, epsilon %g, CMIN %g\n", scheme.n, scheme.k, scheme.epsilon,
	       scheme.cmin);
	for (i = 0; i < options->times; i++)
		for (scheme.clock = KBEST_COUNTER; scheme.clock <= KBEST_GETTIME; scheme.clock++) {
			loops = work_loops(options->time_us[i], per_loop);
			kbest_measure(work, &loops, &scheme, &result);
			print(&result, &scheme, options->time_us[i],
			      tsc_cycles2Nsec_D2D(loops * per_loop));
		}
	return 0;
}
