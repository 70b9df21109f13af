-- SPDX-License-Identifier: GPL-2.0-only
-- Which hosts reported, and when last?
SELECT host, count(*) AS reports, max(created) AS last
FROM reports GROUP BY host ORDER BY last, host
