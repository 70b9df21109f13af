-- SPDX-License-Identifier: GPL-2.0-only
-- What changed since last month?
-- The newest report of each host with the newest that was a month old then; on the same CPU. A
-- case is slower where its interval lies above the older one by more than the margin of
-- `kmark compare`: 1 % of the loop, at most 0.25 cycles, but no less than either run resolves;
-- 0.001 instructions. Of hundreds of cases some are so by chance: it is those of many hosts
-- that count, and `kmark compare` says the chance of each.
WITH dated AS (
	SELECT DISTINCT env, host, cpu_text, digest, created,
		created <= getvariable('now') - INTERVAL 1 MONTH AS old
	FROM cases WHERE created <= getvariable('now')
), pairs AS (
	SELECT env, host, cpu_text,
		max_by(digest, created) FILTER (old) AS before,
		max_by(digest, created) FILTER (NOT old) AS after
	FROM dated GROUP BY ALL
	HAVING before IS NOT NULL AND after IS NOT NULL
), judged AS (
	SELECT b.env, b.shape, b.state, b.variant, b.unit, b.added - a.added AS more,
		CASE WHEN b.unit = 'instructions' THEN 0.001
		     ELSE greatest(least(a.per_loop / 100, 0.25), a.resolution, b.resolution) END AS margin,
		b.added_lo > a.added_hi + margin AS is_slower,
		b.added_hi < a.added_lo - margin AS is_faster,
		a.kernel_text <> b.kernel_text AS is_other_kernel
	FROM pairs p
	JOIN cases a ON a.digest = p.before AND a.env = p.env
	JOIN cases b ON b.digest = p.after AND b.env = p.env
	WHERE (a.shape, a.state, a.variant, a.unit, a.sites) = (b.shape, b.state, b.variant, b.unit, b.sites)
		AND a.variant <> 'none'
)
SELECT env, shape, state, variant, count(*) AS hosts, count_if(is_slower) AS slower,
	count_if(is_faster) AS faster, count_if(is_other_kernel) AS other_kernel, median(more) AS more, unit
FROM judged
GROUP BY env, shape, state, variant, unit
HAVING slower + faster > 0
ORDER BY (slower + faster) / hosts DESC, env, shape, state, variant
