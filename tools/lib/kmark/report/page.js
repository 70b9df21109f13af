// SPDX-License-Identifier: GPL-2.0-only
// Sorts a table by the column whose head is clicked: by the first number in each cell where the
// column has numbers, by the text where it has none. Cells without a number come last.
function key(row, column) {
	const text = row.cells[column].textContent.replaceAll(",", "").replaceAll("\u2212", "-");
	const number = text.match(/[-+]?\d+(\.\d+)?(e[-+]?\d+)?/);
	return [number ? Number(number[0]) : null, text];
}

function sort(table, column, down) {
	const rows = [...table.tBodies[0].rows].map(row => [key(row, column), row]);
	const numeric = column > 0 && rows.some(([[number]]) => number !== null);
	rows.sort(([[a, s]], [[b, t]]) => {
		if (!numeric)
			return s.localeCompare(t, "en", { numeric: true }) * (down ? -1 : 1);
		if (a === null || b === null)
			return (a === null) - (b === null);
		return (a - b) * (down ? -1 : 1);
	});
	table.tBodies[0].append(...rows.map(([, row]) => row));
}

for (const table of document.querySelectorAll("table.sortable")) {
	const heads = [...table.tHead.rows[0].cells];
	heads.forEach((head, column) => {
		const button = document.createElement("button");
		button.append(...head.childNodes);
		head.append(button);
		button.addEventListener("click", () => {
			const down = head.ariaSort === "ascending";
			heads.forEach(other => other.removeAttribute("aria-sort"));
			head.ariaSort = down ? "descending" : "ascending";
			sort(table, column, down);
		});
	});
}

// On a telephone a cell of a wide table names its column.
for (const table of document.querySelectorAll("table.many"))
	for (const row of table.tBodies[0].rows)
		[...row.cells].forEach((cell, column) => {
			cell.dataset.column = table.tHead.rows[0].cells[column].textContent + ":";
		});
