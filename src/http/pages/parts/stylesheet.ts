/** Each row of the tables with this selector as a card, with the titles of its columns. */
const rowsAsCards = (which: string): string => `
  table${which} { &, tbody { display: block; }
    thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
    tbody tr { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); align-items: start; gap: 7px 12px; padding: 11px 0; border-top: 1px solid var(--line); }
    tbody tr:first-child { border-top: 0; padding-top: 0; }
    tbody th, td, td.figure { display: block; padding: 0; border: 0; text-align: start; }
    tbody th { grid-column: 1 / 3; }
    td[data-name="state"] { grid-area: 1 / 3; justify-self: end; }
    td:is([data-name="states"], [data-name="strip"], [data-name="patient"], [data-name="why"]) { grid-column: 1 / -1; }
    td:is([data-name="patient"], [data-name="choice"], [data-name="why"]) { min-width: 0; }
    td[data-name="choice"] { grid-column: 2 / -1; }
    td:has(.amount) { grid-column: 1 / -1; }
    td[data-name="today"] { grid-column: 1; }
    td::before { content: attr(data-label); display: block; font-size: .8rem; color: var(--faint); }
    td:is([data-name="state"], [data-name="actions"])::before { content: none; }
    td:has(> span:empty) { display: none; }
    td[data-name="actions"] { grid-column: 2 / -1; place-self: end; }
  }`;

/**
 * Served at `/assets/status.css`, so that the Content-Security-Policy can forbid inline styles. Colours are named by
 * meaning; text has a contrast of at least 4.5:1 in both schemes.
 */
export const stylesheet = `
:root {
  color-scheme: light dark;
  --ground: #f4f6f8; --card: #ffffff; --text: #17212b; --faint: #566472; --line: #dfe5ea; --soft: #eef2f5;
  --accent: #0b6e6e; --on-accent: #ffffff;
  --ok: #18704a; --ok-ground: #e6f4ec; --attention: #865400; --attention-ground: #fdf2d8;
  --bad: #b3261e; --bad-ground: #fcebe9;
  --shadow: 0 1px 2px rgb(23 33 43 / .06), 0 4px 16px rgb(23 33 43 / .05);
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0e1318; --card: #161d24; --text: #e6edf3; --faint: #9aa9b8; --line: #28323c; --soft: #1d262f;
    --accent: #5cc9c0; --on-accent: #06201f;
    --ok: #62d29a; --ok-ground: #12291f; --attention: #efbd57; --attention-ground: #2b2311;
    --bad: #ff9184; --bad-ground: #331b19;
    --shadow: none;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; font-variant-numeric: tabular-nums; overflow-wrap: break-word; }
.wide { max-width: 1180px; margin-inline: auto; padding-inline: clamp(14px, 3vw, 32px); }
h1, h2, h3, p, ul, ol, dl, dd, figure { margin: 0; padding: 0; }
h1 { font-size: clamp(1.3rem, 1rem + 1.6vw, 1.8rem); line-height: 1.25; letter-spacing: -.015em; font-weight: 650; text-wrap: balance; }
h2 { font-size: 1.08rem; line-height: 1.35; font-weight: 650; letter-spacing: -.005em; }
h3 { font-size: .82rem; font-weight: 600; color: var(--faint); text-transform: uppercase; letter-spacing: .05em; margin: 22px 0 10px; }
a { color: var(--accent); text-underline-offset: 3px; text-decoration-thickness: 1px; }
code { font: .9em ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
time { white-space: nowrap; }
.faint { color: var(--faint); font-weight: 400; }
.unseen, .skip:not(:focus) { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; top: 8px; inset-inline-start: 8px; z-index: 1; padding: 8px 14px; background: var(--card); border-radius: 8px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }

.top { background: var(--card); border-bottom: 1px solid var(--line); }
.top > div { display: flex; align-items: center; justify-content: space-between; flex-wrap: wrap; gap: 4px 16px; min-height: 54px; padding-block: 8px; }
.brand { display: flex; align-items: center; white-space: nowrap; gap: 10px; font-weight: 650; letter-spacing: -.01em; color: inherit; text-decoration: none; }
.logo { width: 26px; height: 26px; }
.logo-ground { fill: var(--accent); }
.logo-line { fill: none; stroke: var(--on-accent); stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round; }
nav { display: flex; align-items: center; flex-wrap: wrap; gap: 4px 18px; }
.top [aria-current] { color: var(--text); font-weight: 550; text-decoration: none; }
main { padding-block: 22px 12px; }
main > * + *, .stack > * + * { margin-top: 20px; }
.foot { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 4px 24px; padding-block: 8px 32px; color: var(--faint); font-size: .87rem; }
.foot a { color: inherit; }

.shape { flex: none; width: 1em; height: 1em; fill: none; stroke: currentColor; stroke-width: 2.2; stroke-linecap: round; stroke-linejoin: round; }
.is-ok { --tone: var(--ok); --tone-ground: var(--ok-ground); }
.is-attention { --tone: var(--attention); --tone-ground: var(--attention-ground); }
.is-bad { --tone: var(--bad); --tone-ground: var(--bad-ground); }
.verdict { display: flex; align-items: center; gap: clamp(14px, 2vw, 22px); padding: clamp(16px, 2.4vw, 26px); border-radius: 14px; background: var(--tone-ground); border: 1px solid color-mix(in srgb, var(--tone) 28%, transparent); }
.verdict > .shape { color: var(--tone); font-size: clamp(34px, 5vw, 46px); stroke-width: 1.8; }
.verdict p { margin-top: 3px; color: color-mix(in srgb, var(--text) 78%, var(--tone)); }
.badge { display: inline-flex; align-items: baseline; gap: 5px; padding: 1px 9px 1px 6px; border-radius: 99px; background: var(--tone-ground); color: var(--tone); font-size: .86rem; font-weight: 550; white-space: nowrap; }
.badge .shape { align-self: center; }
.notice { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 10px; padding: 10px 14px; border-radius: 10px; background: var(--tone-ground); border: 1px solid color-mix(in srgb, var(--tone) 28%, transparent); }
.card > .notice { margin-bottom: 14px; }
.notice > span { flex: 1 1 12em; white-space: pre-line; }
.notice > .shape { color: var(--tone); font-size: 1.2em; }
.notice .badge { padding-inline: 0; white-space: normal; }
.fault { margin-top: 8px; padding: 7px 12px; border-inline-start: 3px solid var(--attention); background: var(--soft); border-start-end-radius: 8px; border-end-end-radius: 8px; font-size: .92rem; }
.fault strong { font-weight: 600; margin-inline-end: 4px; }
.empty, .hint { color: var(--faint); }
.hint { margin-top: 10px; }

.card { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: clamp(14px, 2vw, 22px); box-shadow: var(--shadow); min-width: 0; }
.card > h2, .stack > section > h2 { margin-bottom: 12px; }
.heading { display: flex; flex-wrap: wrap; align-items: baseline; gap: 2px 12px; margin-bottom: 12px; }
.heading > :last-child:not(h1, h2, .faint, .badge) { margin-inline-start: auto; }
.pair { display: grid; gap: 20px; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); align-items: start; }
.count { display: inline-block; min-width: 1.6em; padding-inline: .45em; border-radius: 99px; background: var(--attention-ground); color: var(--attention); font-size: .86em; text-align: center; }

.needs { list-style: none; margin-top: 10px; display: grid; gap: 8px; }
.needs li { display: flex; align-items: center; gap: 14px; padding: 12px 16px; background: var(--card); border: 1px solid var(--line); border-inline-start: 4px solid var(--tone); border-radius: 10px; box-shadow: var(--shadow); }
.needs li > .shape { color: var(--tone); font-size: 1.35rem; }
.needs li > div:nth-of-type(1) { flex: 1; min-width: 0; }
.needs .sentence { font-weight: 550; }
.needs .faint { font-size: .92rem; }
.needs .who b { font-weight: 600; }
.filters b { font-weight: 550; }
td[data-name="actions"] { text-align: end; }

.reasons { list-style: none; display: grid; gap: 8px; }

table { width: 100%; border-collapse: collapse; font-size: .94rem; }
th, td { padding: 8px 10px; text-align: start; vertical-align: baseline; border-top: 1px solid var(--line); }
thead th { border-top: 0; padding-block: 0 7px; font-size: .82rem; font-weight: 550; color: var(--faint); white-space: nowrap; }
tbody th { font-weight: 550; }
th:first-child, td:first-child { padding-inline-start: 0; }
th:last-child, td:last-child { padding-inline-end: 0; }
.figure { text-align: end; }
.states { display: flex; flex-wrap: wrap; gap: 4px 6px; }
.states > * { padding: 0 8px; border-radius: 99px; background: var(--soft); color: var(--faint); font-size: .86rem; text-decoration: none; white-space: nowrap; }
.states b { color: var(--text); font-weight: 600; }
.states a:hover { text-decoration: underline; }
.facts { display: flex; flex-wrap: wrap; gap: 10px 30px; margin-top: 16px; padding: 12px 16px; background: var(--soft); border-radius: 10px; }
.card > .facts:first-child { margin-top: 0; }
.facts dt { font-size: .82rem; color: var(--faint); }
.facts dd { font-weight: 550; }

.plots { display: grid; gap: 14px; grid-template-columns: repeat(auto-fit, minmax(230px, 1fr)); }
.plots figure { border: 1px solid var(--line); border-radius: 10px; padding: 10px 8px 4px 12px; }
.plots figcaption { display: flex; flex-wrap: wrap; align-items: baseline; gap: 8px; padding-inline-end: 6px; font-size: .9rem; }
.plots figcaption span:first-child { flex: 1; color: var(--faint); }
.plots figcaption strong { font-size: 1.15rem; font-weight: 650; }
.plot { direction: ltr; display: block; width: 100%; height: auto; margin-top: 4px; }
.plot .grid { stroke: var(--line); stroke-width: 1; vector-effect: non-scaling-stroke; }
.plot .line { fill: none; stroke: var(--accent); stroke-width: 1.75; stroke-linejoin: round; vector-effect: non-scaling-stroke; }
.plot .area { fill: var(--accent); opacity: .1; }
.plot .dot { fill: var(--accent); stroke: var(--card); stroke-width: 2; }
.plot .tick { fill: var(--faint); font-size: 10.5px; }
.plot .middle { text-anchor: middle; }
.plot .end { text-anchor: end; }
details { margin-top: 14px; }
summary { cursor: pointer; color: var(--faint); font-size: .92rem; }
details ul { margin: 10px 0 14px; margin-inline-start: 1.2em; }

.changes, .history { list-style: none; font-size: .94rem; }
.changes li { display: grid; grid-template-columns: 7.5em 9em minmax(0, 1fr); align-items: baseline; gap: 2px 14px; padding: 6px 0; border-top: 1px solid var(--line); }
.changes li:first-child { border-top: 0; padding-top: 0; }
.changes time { color: var(--faint); }
.changes b { font-weight: 600; }
.history li { position: relative; padding: 0 0 14px; padding-inline-start: 22px; }
.history li:last-child { padding-bottom: 0; }
.history li::before { content: ""; position: absolute; inset-inline-start: 4px; top: .5em; width: 9px; height: 9px; border-radius: 50%; background: var(--accent); }
.history li:not(:last-child)::after { content: ""; position: absolute; inset-inline-start: 8px; top: 1.3em; bottom: -.3em; width: 1px; background: var(--line); }

.filter { display: flex; flex-wrap: wrap; align-items: end; gap: 10px; }
.filter label { min-width: 11em; }
.filter button, .search button { min-height: 2.6rem; }
.up { margin-bottom: -12px; font-size: .92rem; }
.strip { display: block; width: 100%; min-width: 110px; max-width: 190px; height: 16px; }
.wide-strip .strip { max-width: none; height: 26px; }
.slot-ok { fill: var(--ok); opacity: .75; }
.slot-trouble { fill: var(--attention); }
.slot-stale { fill: var(--bad); }
.slot-nothing { fill: var(--line); }
.kind-0 { fill: var(--accent); }
.kind-1 { fill: #c98a1b; }
.kind-2 { fill: #7a6bd0; }
.kind-3 { fill: #c2567e; }
.kind-4 { fill: #6d8196; }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: 2px 16px; font-size: .88rem; }
.legend svg { width: 10px; height: 10px; margin-inline-end: 6px; }
/* Texts of a chart grow with it. */
.leads .plot, .plots > :only-child { max-width: 400px; }
.pair > :only-child { grid-column: 1 / -1; }
.changes .kind { color: var(--faint); }
.checks { list-style: none; display: grid; gap: 8px; }
.things { margin: 6px 0 10px; margin-inline-start: 1.2em; }
.guard + .guard { margin-top: 16px; border-top: 1px solid var(--line); padding-top: 14px; }
.sure { margin: 0; }
.sure summary { list-style: none; }
.sure summary::-webkit-details-marker { display: none; }
.sure form { margin-top: 8px; padding: 10px 14px; border: 1px solid var(--line); border-radius: 10px; background: var(--soft); text-align: start; max-width: 24em; }
.sure p { margin-bottom: 8px; }
.languages { margin: 0; flex-basis: 100%; }
.languages ul { list-style: none; display: flex; flex-wrap: wrap; gap: 4px 16px; margin: 8px 0 0; }
.languages a { display: inline-block; padding-block: 3px; }
.languages [aria-current] { font-weight: 650; text-decoration: none; }
.buttons { display: flex; flex-wrap: wrap; gap: 8px; }
.card > .buttons { margin-top: 14px; }
button, .button { font: inherit; font-weight: 550; font-size: .94rem; line-height: 1.4; padding: 7px 15px; border-radius: 8px; border: 1px solid var(--accent); background: var(--accent); color: var(--on-accent); cursor: pointer; text-decoration: none; display: inline-block; }
button:hover, .button:hover { filter: brightness(1.08); }
button.quiet, .button.quiet { background: transparent; color: var(--text); border-color: var(--line); }
button.quiet:hover, .button.quiet:hover { border-color: var(--faint); }
button.danger { background: transparent; color: var(--bad); border-color: color-mix(in srgb, var(--bad) 45%, transparent); }
button.link { padding: 0; border: 0; background: none; color: var(--accent); font-weight: 400; text-decoration: underline; text-underline-offset: 3px; text-decoration-thickness: 1px; }
label { display: block; font-size: .9rem; font-weight: 550; }
label .faint { font-size: .94em; }
input, textarea, select { display: block; width: 100%; min-height: 2.6rem; margin-top: 4px; padding: 8px 11px; font: inherit; font-weight: 400; color: inherit; background: var(--ground); border: 1px solid color-mix(in srgb, var(--faint) 55%, var(--line)); border-radius: 8px; }
.check { display: flex; align-items: baseline; gap: 8px; font-weight: 400; color: var(--faint); }
.check input { width: auto; min-height: 0; margin: 0; flex: none; accent-color: var(--accent); }
textarea { min-height: 5em; resize: vertical; }
.fields { display: grid; gap: 12px 16px; grid-template-columns: repeat(auto-fit, minmax(210px, 1fr)); margin-bottom: 14px; }
.narrow { max-width: 430px; margin-inline: auto; }
.narrow form { display: grid; gap: 16px; margin-top: 16px; }
.message { max-width: 560px; margin: 9vh auto; text-align: center; }
.message p { margin-top: 10px; color: var(--faint); }
.message .ref { color: var(--text); letter-spacing: .04em; }
.filters { display: flex; flex-wrap: wrap; gap: 6px; }
.filters a { padding: 3px 12px; border: 1px solid var(--line); border-radius: 99px; background: var(--card); color: inherit; font-size: .9rem; text-decoration: none; }
.filters a[aria-current] { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
.detail { display: grid; gap: 20px; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); align-items: start; }
.person { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 7px 20px; }
.person dt { color: var(--faint); }
.person dd { font-weight: 500; white-space: pre-line; }
.ways { display: grid; gap: 12px; }
.lead { font-size: 1.08rem; max-width: 62em; }
.ways > li { list-style: none; padding: 14px 18px 16px; background: var(--card); border: 1px solid var(--line); border-radius: 12px; box-shadow: var(--shadow); }
.ways h3 { margin: 0; color: inherit; font-size: 1rem; text-transform: none; letter-spacing: 0; }
.ways p { margin: 2px 0 10px; color: var(--faint); font-size: .92rem; }
.ways form.row { display: flex; flex-wrap: wrap; align-items: end; gap: 10px; }
.ways form.row label { flex: 1; }
.ways form.row .check { flex-basis: 100%; }

.search { display: grid; gap: 10px 14px; grid-template-columns: minmax(12em, 3fr) repeat(3, minmax(8em, 1fr)) auto; align-items: end; }
.many { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 12px; margin-bottom: 14px; }
.pick { display: flex; align-items: center; gap: 9px; white-space: nowrap; }
.pick input { width: auto; min-height: 0; margin: 0; accent-color: var(--accent); }
td[data-name="actions"] :is(button, .button) { white-space: nowrap; }
td:is([data-name="patient"], [data-name="choice"]) { min-width: 9em; overflow-wrap: anywhere; }
td[data-name="why"] { min-width: 8.5em; }
table:has(.pick) thead th { white-space: normal; vertical-align: bottom; }
a:is([href^="tel:"], [href*="/bookings/CS-"]) { white-space: nowrap; }
.mean { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 10px; }
mark { background: var(--attention-ground); color: var(--attention); font-weight: 600; padding-inline: 3px; border-radius: 4px; }
.beside td, .beside th { min-width: 0; overflow-wrap: anywhere; }
.beside :is(time, a[href^="tel:"]) { white-space: normal; }
.plain { list-style: none; display: grid; gap: 8px; }
.report > .fault { margin-bottom: 14px; }
.report thead th { white-space: normal; vertical-align: bottom; }
.report thead th::first-letter { text-transform: uppercase; }
.report :is(th, td) { padding-inline: 5px; }
.report tbody bdi:not(.amount) { display: block; min-width: 8rem; max-width: 22rem; overflow-wrap: anywhere; }
.report .figure > span:not(:has(.amount)) { white-space: nowrap; }
.report > svg { display: block; max-width: 100%; height: auto; margin-bottom: 14px; }
.report > svg text { fill: var(--text); }
.report > svg rect { fill: var(--accent); }
.scroll { overflow-x: auto; }
.scroll + .scroll { margin-top: 18px; }
.amount { white-space: nowrap; }
.report tbody tr:last-child:not(:first-child) th { font-weight: 650; }

@media (max-width: 1100px) {
  table:has(.pick) :is(th, td) { padding-inline: 4px; }
  td:is([data-name="patient"], [data-name="choice"], [data-name="why"]) { min-width: 6.5em; }
  td[data-name="actions"] :is(button, .button) { white-space: normal; padding-inline: 9px; }
}
@media (max-width: 900px) {
  .search { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .search > :first-of-type { grid-column: 1 / -1; }
  .pair, .detail { grid-template-columns: minmax(0, 1fr); }
}
@media screen and (max-width: 900px) { ${rowsAsCards(':not(.report *):has(.pick, thead th:nth-child(6))')} }
@media screen and (max-width: 800px) {
  ${rowsAsCards(':not(.beside)')}
  td .badge { white-space: normal; }
  .strip { max-width: none; }
  .report td.figure > span:not(:has(.amount)) { white-space: normal; }
}
@media screen and (max-width: 640px) {
  ${rowsAsCards('.beside')}
  table.beside tbody tr { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  table.beside tbody th { grid-column: 1 / -1; }
}
@media (max-width: 640px) {
  main { padding-block: 14px 8px; }
  main > * + * { margin-top: 14px; }
  dd time { white-space: normal; }
  .changes li { grid-template-columns: auto minmax(0, 1fr); }
  .changes li > time { grid-column: 2; grid-row: 1; text-align: end; }
  .changes li > .kind { grid-column: 1; grid-row: 1; }
  .changes li > span { grid-column: 1 / -1; }
  .needs li { flex-wrap: wrap; }
  .needs .buttons { flex-basis: 100%; padding-inline-start: calc(1.35rem + 14px); }
  .plots { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .plots > :only-child { grid-column: 1 / -1; }
  .facts { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 10px 14px; }
}
@media print { .card:not(.report) table { font-size: 12px; } .top, .buttons, .filter, .filters, .search, .many, .pick input, td[data-name="actions"], table:has(td[data-name="actions"]) thead th:last-child, .foot details, .skip, .no-print, .notice { display: none; } body { background: none; font-size: 12px; } main > * + * { margin-top: 10px; } .person { row-gap: 3px; } .card { break-inside: avoid; box-shadow: none; padding: 10px 14px; } .card:has(.pick) { break-inside: auto; } .report { break-inside: auto; border: 0; padding: 0; } tr, .report > svg { break-inside: avoid; } .scroll { overflow: visible; } }
`;
