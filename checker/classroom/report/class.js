
"use strict";
const keys = JSON.parse(document.getElementById("keys").textContent);
const table = document.getElementById("points");
const body = table.tBodies[0];
const words = new Intl.Collator("en", { numeric: true });
const folded = text => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
const rows = [...body.rows].map((line, i) => ({ line, keys: keys[i], text: folded(keys[i][0]) }));

function sort(column) {
  const heads = [...table.tHead.rows[0].cells];
  const down = heads[column].getAttribute("aria-sort") === "ascending";
  heads.forEach(head => head.removeAttribute("aria-sort"));
  heads[column].setAttribute("aria-sort", down ? "descending" : "ascending");
  const order = (a, b) => column ? a.keys[column] - b.keys[column] : words.compare(a.keys[0], b.keys[0]);
  body.append(...rows.toSorted((a, b) => down ? order(b, a) : order(a, b)).map(row => row.line));
}

function filter(text) {
  const wanted = folded(text.trim());
  let count = 0;
  for (const row of rows) {
    const fits = row.text.includes(wanted);
    row.line.classList.toggle("out", !fits);
    count += fits;
  }
  document.getElementById("count").textContent = wanted ? `${count} of ${rows.length} students` : "";
}

[...table.tHead.rows[0].cells].forEach((head, column) =>
  head.firstElementChild.addEventListener("click", () => sort(column)));
document.getElementById("filter").addEventListener("input", event => filter(event.target.value));
document.querySelector(".tools").hidden = false;
addEventListener("beforeprint", () => {
  for (const one of document.querySelectorAll("details")) one.open = true;
});
