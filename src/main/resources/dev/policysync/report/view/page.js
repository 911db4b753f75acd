"use strict";
{
  // How many findings are shown at once, and how many are printed.
  const SHOWN = 100;
  const PRINTED = 1000;
  // Milliseconds after which the script yields to the browser.
  const TURN = 12;

  const byId = (id) => document.getElementById(id);
  const words = JSON.parse(byId("words").textContent);
  const filters = ["severity", "result", "category", "policy", "namespace", "kind", "owner", "change"];
  let findings = [];
  let found = [];
  let first = 0;
  let latest = 0;
  let order = { column: "severity", descending: true };

  const count = (number) => number.toLocaleString("en");
  const plural = (number, word) => `${count(number)} ${word}${number === 1 ? "" : "s"}`;
  const turn = () => new Promise((next) => setTimeout(next));

  /* A finding is a list, in the order in which EmbeddedJson.java writes it. */
  const named = ([severity, result, category, policy, rule, kind, namespace, name, message, cut, pods, age, change, owner]) => ({
    severity, result, category, policy, rule, kind, namespace, name, message, cut, pods, age, change, owner,
  });

  /* The sort key of each column. The numbers of severities and results increase from worst to best. */
  const keys = {
    severity: (finding) => -finding.severity,
    result: (finding) => -finding.result,
    policy: (finding) => `${words.policies[finding.policy].label}\n${finding.rule}`,
    resource: (finding) => `${finding.name}\n${words.kinds[finding.kind]}\n${finding.namespace}`,
    age: (finding) => finding.age,
    message: (finding) => finding.message,
  };

  async function read() {
    let until = performance.now() + TURN;
    for (const island of document.querySelectorAll("script.findings")) {
      for (const row of JSON.parse(island.textContent)) {
        findings.push({ ...named(row), place: findings.length });
      }
      island.remove();
      if (performance.now() > until) {
        await turn();
        until = performance.now() + TURN;
      }
    }
  }

  /* Returns a function that tests whether a finding matches the filters and the search text. */
  function question() {
    const chosen = filters
      .map((id) => [id, byId(id).value])
      .filter(([, value]) => value !== "")
      .map(([id, value]) => [id, id === "namespace" ? words.namespaces[value] : Number(value)]);
    const terms = byId("search").value.toLowerCase().split(/\s+/).filter((term) => term !== "");
    return (finding) => {
      if (!chosen.every(([id, value]) => finding[id] === value)) {
        return false;
      }
      if (terms.length === 0) {
        return true;
      }
      const policy = words.policies[finding.policy];
      const text = [
        policy.label, policy.title, finding.rule,
        `${words.kinds[finding.kind]}/${finding.namespace}/${finding.name}`,
        words.owners.length === 0 ? "" : words.owners[finding.owner], finding.message,
      ].join("\n").toLowerCase();
      return terms.every((term) => text.includes(term));
    };
  }

  /* Searches all findings and yields to the browser in between; a newer search ends an older one. */
  async function search() {
    const mine = ++latest;
    const fits = question();
    const answer = [];
    byId("rows").setAttribute("aria-busy", "true");
    let until = performance.now() + TURN;
    for (const finding of findings) {
      if (performance.now() > until) {
        await turn();
        if (mine !== latest) {
          return;
        }
        until = performance.now() + TURN;
      }
      if (fits(finding)) {
        answer.push(finding);
      }
    }
    found = answer;
    first = 0;
    show(SHOWN);
    byId("rows").removeAttribute("aria-busy");
  }

  /* Sorts in parts and merges them, yielding to the browser in between; returns nothing if a newer
     search or sort has begun. */
  async function sorted(list, compare, mine) {
    const SOME = 2000;
    let runs = [];
    let until = performance.now() + TURN;
    const pause = async () => {
      if (performance.now() > until) {
        await turn();
        until = performance.now() + TURN;
      }
      return mine === latest;
    };
    for (let from = 0; from < list.length; from += SOME) {
      runs.push(list.slice(from, from + SOME).sort(compare));
      if (!await pause()) {
        return undefined;
      }
    }
    while (runs.length > 1) {
      const longer = [];
      for (let i = 0; i < runs.length; i += 2) {
        const [one, other = []] = [runs[i], runs[i + 1]];
        const merged = [];
        let left = 0;
        let right = 0;
        while (left < one.length || right < other.length) {
          const takesLeft = right === other.length
            || (left < one.length && compare(one[left], other[right]) <= 0);
          merged.push(takesLeft ? one[left++] : other[right++]);
          if (merged.length % SOME === 0 && !await pause()) {
            return undefined;
          }
        }
        longer.push(merged);
      }
      runs = longer;
    }
    return runs.length === 0 ? [] : runs[0];
  }

  /* Equal findings keep their original order, in both directions. */
  async function sort(column, descending) {
    const mine = ++latest;
    const key = keys[column];
    const way = descending ? -1 : 1;
    byId("rows").setAttribute("aria-busy", "true");
    for (const finding of findings) {
      finding.key = key(finding);
    }
    const answer = await sorted(findings, (one, other) => {
      if (one.key === other.key) {
        return one.place - other.place;
      }
      return one.key < other.key ? -way : way;
    }, mine);
    if (answer !== undefined) {
      findings = answer;
      order = { column, descending };
      for (const head of document.querySelectorAll("[data-sort]")) {
        head.setAttribute("aria-sort", head.dataset.sort !== column ? "none" : descending ? "descending" : "ascending");
      }
      document.querySelector(".findings caption").textContent = "Findings";
      await search();
    }
  }

  /* Turns the head of a column into a button: the first click sorts the worst and the oldest first, texts from A to Z. */
  function sortable(head) {
    const column = head.dataset.sort;
    const button = element("button", "sort", ...head.childNodes);
    button.type = "button";
    button.id = `sort-${column}`;
    button.addEventListener("click", () => {
      const descending = order.column === column
        ? !order.descending
        : ["severity", "result", "age"].includes(column);
      sort(column, descending);
    });
    head.replaceChildren(button);
    head.setAttribute("aria-sort", head.getAttribute("aria-sort") ?? "none");
  }

  /* The tables of counts are short enough to be sorted in one step. */
  function sortableCounts(table) {
    const heads = [...table.querySelectorAll("thead th")];
    const body = table.tBodies[0];
    for (const [index, head] of heads.entries()) {
      const figures = head.classList.contains("number");
      if (head.querySelector(".unseen") !== null) {
        continue;
      }
      const button = element("button", "sort", ...head.childNodes);
      button.type = "button";
      const value = (row) => figures
        ? Number(row.cells[index].textContent.replaceAll(",", ""))
        : row.cells[index].textContent;
      button.addEventListener("click", () => {
        const now = head.getAttribute("aria-sort");
        const descending = now === "none" ? figures : now === "ascending";
        heads.forEach((each) => { each.setAttribute("aria-sort", "none"); });
        head.setAttribute("aria-sort", descending ? "descending" : "ascending");
        const way = descending ? -1 : 1;
        body.append(...[...body.rows].sort((one, other) => (value(one) < value(other) ? -way : value(one) > value(other) ? way : 0)));
      });
      head.replaceChildren(button);
      head.setAttribute("aria-sort", figures && index === 1 ? "descending" : "none");
    }
  }

  function element(name, className, ...content) {
    const made = document.createElement(name);
    if (className !== "") {
      made.className = className;
    }
    made.append(...content);
    return made;
  }

  const below = (text) => (text === "" ? [] : [element("span", "below", text)]);

  /* Returns how long a finding has been known, in the words of DisplayText.java. */
  function known(seconds) {
    const days = Math.floor(seconds / 86400);
    const hours = Math.floor(seconds / 3600);
    const text = days >= 2 ? `${count(days)} days` : hours >= 1 ? `${hours} h` : `${Math.floor(seconds / 60)} min`;
    const time = element("time", "", text);
    time.dateTime = `${new Date((words.at - seconds) * 1000).toISOString().slice(0, 19)}Z`;
    return time;
  }

  function row(finding) {
    const severity = words.severities[finding.severity];
    const result = words.results[finding.result];
    const policy = words.policies[finding.policy];
    const place = finding.namespace === "" ? "" : ` in ${finding.namespace}`;
    const pods = finding.pods === 0 ? "" : `and ${count(finding.pods)} controlled resources`;
    const owner = words.owners.length === 0 ? "" : `owner: ${words.owners[finding.owner]}`;
    return element("tr", "",
      element("td", "", element("span", `badge ${severity}`, severity), ...below(words.categories[finding.category])),
      element("td", "", element("span", `result ${result}`, result)),
      element("td", "", policy.label, ...below(policy.title), ...below(finding.rule)),
      element("td", "", finding.name, ...below(words.kinds[finding.kind] + place), ...below(pods), ...below(owner)),
      element("td", "", finding.change === 1 ? element("span", "badge new", "new") : known(finding.age)),
      element("td", "message", finding.message, ...(finding.cut ? below("Message truncated.") : [])));
  }

  function show(most) {
    const shown = found.slice(first, first + most);
    byId("rows").replaceChildren(...shown.map(row));
    const all = found.length === findings.length
      ? plural(findings.length, "finding")
      : `${count(found.length)} of ${plural(findings.length, "finding")}`;
    byId("status").textContent = shown.length === 0 || shown.length === found.length
      ? all
      : `${all}, ${count(first + 1)} to ${count(first + shown.length)} shown`;
    const pages = Math.max(1, Math.ceil(found.length / SHOWN));
    const page = first / SHOWN + 1;
    byId("pages").hidden = pages === 1;
    byId("page").textContent = `Page ${count(page)} of ${count(pages)}`;
    byId("previous").setAttribute("aria-disabled", String(page === 1));
    byId("next").setAttribute("aria-disabled", String(page === pages));
  }

  function turnTo(start) {
    if (start >= 0 && start < found.length) {
      first = start;
      show(SHOWN);
      byId("findings").scrollIntoView();
    }
  }

  /* Fills a filter, and hides it if it has no options. */
  function options(id, texts) {
    byId(id).parentElement.hidden = texts.length === 0;
    byId(id).append(new Option("all", ""), ...texts.map(([text, value]) => new Option(text, value)));
  }

  function fillFilters() {
    const numbered = (list) => list.map((text, index) => [text, index]);
    options("severity", numbered(words.severities));
    options("result", numbered(words.results));
    options("category", numbered(words.categories));
    const alphabetical = (list) => list
      .map((text, index) => [text, index])
      .sort(([one], [other]) => (one < other ? -1 : 1));
    options("policy", alphabetical(words.policies.map(({ label, title }) => (title === "" ? label : `${label}: ${title}`))));
    options("namespace", alphabetical(words.namespaces.map((name) => (name === "" ? "no namespace" : name))));
    options("kind", alphabetical(words.kinds));
    options("owner", alphabetical(words.owners));
    options("change", numbered(words.changes));
  }

  /* Turns a cell of the tables above into a button that filters by policy, namespace or new findings. */
  function offer(cell) {
    const { filter, value } = cell.dataset;
    const button = element("button", "link", filter === "policy" ? "Show its findings" : cell.textContent);
    button.type = "button";
    button.addEventListener("click", () => {
      byId("reset").click();
      byId(filter).value = value;
      search();
      byId("findings").scrollIntoView();
      byId("findings").focus({ preventScroll: true });
    });
    cell.replaceChildren(button);
  }

  async function start() {
    fillFilters();
    await read();
    document.querySelectorAll("[data-sort]").forEach(sortable);
    document.querySelectorAll(".counts table:not(.plain)").forEach(sortableCounts);
    document.querySelectorAll("[data-filter]").forEach(offer);
    filters.forEach((id) => byId(id).addEventListener("change", search));
    byId("search").addEventListener("input", search);
    byId("reset").addEventListener("click", () => {
      [...filters, "search"].forEach((id) => { byId(id).value = ""; });
      search();
    });
    byId("previous").addEventListener("click", () => turnTo(first - SHOWN));
    byId("next").addEventListener("click", () => turnTo(first + SHOWN));
    addEventListener("beforeprint", () => show(PRINTED));
    addEventListener("afterprint", () => show(SHOWN));
    await search();
    byId("filters").hidden = false;
    document.documentElement.dataset.ready = "true";
  }

  start();
}
