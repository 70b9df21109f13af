-- SPDX-License-Identifier: GPL-2.0-only
-- What does one site cost, by kernel and CPU?
-- The median of the hosts' newest reports, of the longest row of sites that was measured.
WITH newest AS (
	SELECT env, host, kernel_text, cpu_text, max_by(digest, created) AS digest
	FROM sites GROUP BY ALL
), longest AS (
	SELECT s.* FROM sites s JOIN newest USING (digest, env, host, kernel_text, cpu_text)
	WHERE s.variant IN ('mark', 'key', 'tracepoint')
	QUALIFY s.sites = max(s.sites) OVER (PARTITION BY s.digest, s.env, s.variant, s.state)
)
SELECT kernel, cpu_text AS cpu, env, variant, count(DISTINCT host) AS hosts,
	median(cost) FILTER (state = 'disabled') AS disabled,
	median(cost) FILTER (state = 'enabled') AS enabled, unit
FROM longest
GROUP BY ALL
ORDER BY kernel, cpu, env, variant
