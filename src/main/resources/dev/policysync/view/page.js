"use strict";
{
  // How many findings are shown at once, and how many are printed.
  const SHOWN = 100;
  const PRINTED = 1000;
  // Milliseconds after which the browser gets its turn.
  const TURN = 12;

  const byId = (id) => document.getElementById(id);
  const words = JSON.parse(byId("words").textContent);
  const filters = ["severity", "result", "category", "policy", "namespace"];
  const findings = [];
  let found = [];
  let first = 0;
  let latest = 0;

  const count = (number) => number.toLocaleString("en");
  const plural = (number, word) => `${count(number)} ${word}${number === 1 ? "" : "s"}`;
  const turn = () => new Promise((next) => setTimeout(next));

  /* A finding comes as a list, in the order in which Islands.java writes it. */
  const named = ([severity, result, category, policy, rule, kind, namespace, name, message, cut, pods]) => ({
    severity, result, category, policy, rule, kind, namespace, name, message, cut, pods,
  });

  async function read() {
    let until = performance.now() + TURN;
    for (const island of document.querySelectorAll("script.findings")) {
      for (const row of JSON.parse(island.textContent)) {
        findings.push(named(row));
      }
      island.remove();
      if (performance.now() > until) {
        await turn();
        until = performance.now() + TURN;
      }
    }
  }

  /* What is asked for, as a question to each finding. */
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
        policy.name, policy.title, finding.rule,
        `${finding.kind}/${finding.namespace}/${finding.name}`, finding.message,
      ].join("\n").toLowerCase();
      return terms.every((term) => text.includes(term));
    };
  }

  /* Looks through all findings a turn at a time; a newer question ends an older one. */
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

  function element(name, className, ...content) {
    const made = document.createElement(name);
    if (className !== "") {
      made.className = className;
    }
    made.append(...content);
    return made;
  }

  const below = (text) => (text === "" ? [] : [element("span", "below", text)]);

  function row(finding) {
    const severity = words.severities[finding.severity];
    const result = words.results[finding.result];
    const policy = words.policies[finding.policy];
    const place = finding.namespace === "" ? "" : ` in ${finding.namespace}`;
    const pods = finding.pods === 0 ? "" : `and ${count(finding.pods)} that it controls`;
    return element("tr", "",
      element("td", "", element("span", `badge ${severity}`, severity), ...below(words.categories[finding.category])),
      element("td", "", element("span", `result ${result}`, result)),
      element("td", "", policy.name, ...below(finding.rule)),
      element("td", "", finding.name, ...below(finding.kind + place), ...below(pods)),
      element("td", "message", finding.message, ...(finding.cut ? below("The message is longer; this is its beginning.") : [])));
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

  function options(id, texts) {
    byId(id).append(new Option("all", ""), ...texts.map(([text, value]) => new Option(text, value)));
  }

  function fillFilters() {
    const numbered = (list) => list.map((text, index) => [text, index]);
    options("severity", numbered(words.severities));
    options("result", numbered(words.results));
    options("category", numbered(words.categories));
    options("policy", words.policies
      .map((policy, index) => [policy.label, index])
      .sort(([one], [other]) => (one < other ? -1 : 1)));
    options("namespace", words.namespaces
      .map((name, index) => [name === "" ? "no namespace" : name, index])
      .sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  /* Choosing a policy or namespace from the tables above. */
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
