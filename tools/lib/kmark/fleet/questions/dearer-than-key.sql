-- SPDX-License-Identifier: GPL-2.0-only
-- On which CPUs is MARK() enabled dearer than a static key?
-- A host counts once, with its newest report. It is dearer there where one site costs more, in
-- the same rounds, than a run without either can show, and the interval excludes 0.
WITH newest AS (
	SELECT env, host, cpu_text, max_by(digest, created) AS digest
	FROM versus GROUP BY ALL
)
SELECT
	v.cpu_text AS cpu,
	v.env,
	v.shape || coalesce(' to ' || v.twice, '') AS loops,
	count(*) AS hosts,
	count_if(v.resolved AND v.difference > 0) AS dearer,
	median(v.difference) AS more,
	v.unit
FROM versus v JOIN newest USING (digest, env, host, cpu_text)
WHERE v.variant = 'mark' AND v.against = 'key' AND v.state = 'enabled'
GROUP BY v.cpu_text, v.env, v.shape, v.twice, v.unit
HAVING dearer > 0
ORDER BY dearer / hosts DESC, more DESC, cpu, env, loops
