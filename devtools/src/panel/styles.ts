/** The panel's styles. Colours are used only for meanings, such as the type of an event. */
export const STYLES = `
:host {
  color-scheme: light dark;
  --surface: light-dark(#ffffff, #14171c);
  --sunken: light-dark(#f6f7f9, #101318);
  --hover: light-dark(#f0f2f6, #1c2128);
  --chosen: light-dark(#e9ecfb, #252a45);
  --chain: light-dark(#f4f5fd, #1a1d2e);
  --line: light-dark(#e3e6eb, #272c35);
  --text: light-dark(#1b1f26, #e4e7ec);
  --soft: light-dark(#5a6371, #a1a9b6);
  --accent: light-dark(#4f46e5, #a5a3ff);
  --read: light-dark(#2563eb, #7aa8ff);
  --edit: light-dark(#8b3fd1, #c79bff);
  --commit: light-dark(#157347, #62cf98);
  --action: light-dark(#a15c07, #eab459);
  --error: light-dark(#b42318, #ff9489);
  --quiet: light-dark(#697280, #8d96a4);
  --tone: var(--quiet);
  position: fixed;
  inset: auto 0 0 0;
  height: min(var(--height, 380px), 100dvh);
  z-index: 2147483000;
  display: block;
  font: 12.5px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif;
  color: var(--text);
  text-align: start;
}
:host([theme="light"]) { color-scheme: light; }
:host([theme="dark"]) { color-scheme: dark; }
:host([place="float"]) { inset: auto 16px 16px auto; width: min(760px, calc(100vw - 32px)); height: min(var(--height, 480px), calc(100dvh - 32px)); }
:host([place="fill"]) { position: relative; inset: auto; height: 100%; z-index: auto; }
:host([place="window"]) { inset: 0; height: 100dvh; }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
.panel { container-type: inline-size; display: flex; flex-direction: column; height: 100%; background: var(--surface); border-top: 1px solid var(--line); box-shadow: 0 -8px 28px rgb(0 0 0 / 10%); }
:host([place="float"]) .panel { border: 1px solid var(--line); border-radius: 12px; overflow: hidden; box-shadow: 0 16px 48px rgb(0 0 0 / 26%); }
.grip { position: absolute; inset: -4px 0 auto; height: 8px; cursor: ns-resize; touch-action: none; }
.grip:hover, .grip:focus-visible { background: linear-gradient(var(--accent), var(--accent)) center / 100% 2px no-repeat; outline: 0; }
:host([place="fill"]) .grip, :host([place="window"]) .grip { display: none; }
.head { display: flex; align-items: center; gap: 4px 8px; padding: 5px 8px; border-bottom: 1px solid var(--line); background: var(--sunken); }
.tabs { display: flex; flex: none; gap: 2px; max-width: 100%; overflow-x: auto; scrollbar-width: none; }
.tools { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; }
.head .tools { margin-inline-start: auto; flex-wrap: nowrap; min-width: 0; gap: 4px; }
.head .tools > * { flex: none; }
button, select, input, textarea { font: inherit; color: inherit; border-radius: 6px; border: 1px solid var(--line); background: var(--surface); padding: 2px 8px; min-height: 26px; }
button { cursor: pointer; }
button:hover { background: var(--hover); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: -1px; }
.list:focus-visible { outline: 0; box-shadow: inset 0 2px var(--accent); }
[role="tab"] { border-color: transparent; background: none; color: var(--soft); white-space: nowrap; }
[role="tab"][aria-selected="true"] { background: var(--surface); border-color: var(--line); color: var(--text); font-weight: 600; }
.icon { display: inline-grid; place-items: center; width: 28px; padding: 0; color: var(--soft); }
.icon[aria-pressed="true"] { color: var(--accent); border-color: currentColor; }
svg { width: 16px; height: 16px; fill: none; stroke: currentColor; stroke-width: 1.4; stroke-linecap: round; stroke-linejoin: round; }
input[type="search"] { width: 150px; min-width: 64px; }
.head .tools > input { flex: 0 1 150px; }
.head .tools > select { flex: 0 1 auto; min-width: 64px; }
.tools select { max-width: 128px; text-overflow: ellipsis; }
.view { flex: 1; min-height: 0; }
.split { display: grid; grid-template-columns: minmax(0, 11fr) minmax(0, 9fr); grid-template-rows: minmax(0, 1fr); height: 100%; }
.column { display: flex; flex-direction: column; min-height: 0; }
.column .list { flex: 1; }
.bar { padding: 6px 8px; border-bottom: 1px solid var(--line); }
.bar select { max-width: 100%; }
.list { overflow: auto; position: relative; contain: strict; height: 100%; overscroll-behavior: contain; }
.space { position: relative; }
.row { position: absolute; inset: 0 0 auto; height: 28px; display: flex; align-items: center; gap: 8px; padding: 0 10px; white-space: nowrap; cursor: default; border-inline-start: 3px solid transparent; }
.row:hover { background: var(--hover); }
.row.in-chain { background: var(--chain); border-inline-start-color: var(--tone); }
.row[aria-selected="true"] { background: var(--chosen); border-inline-start-color: var(--accent); }
.row.is-gone { color: var(--soft); text-decoration: line-through; }
time, .number, .pk, code, .note, textarea { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 11.5px; font-variant-numeric: tabular-nums; }
time, .note { color: var(--soft); }
.dot { flex: none; width: 8px; height: 8px; border-radius: 50%; background: var(--tone); }
.is-flying .dot { animation: pulse 1.2s ease-in-out infinite; }
@keyframes pulse { 50% { opacity: .35; } }
@media (prefers-reduced-motion: reduce) { .is-flying .dot { animation: none; } }
.verb { flex: none; min-width: 78px; color: var(--tone); font-weight: 600; }
.number { flex: none; min-width: 46px; color: var(--soft); }
.pk { flex: none; min-width: 64px; max-width: 40%; overflow: hidden; text-overflow: ellipsis; }
.subject { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; }
.row .note { flex: none; max-width: 45%; overflow: hidden; text-overflow: ellipsis; }
.tone-read { --tone: var(--read); }
.tone-edit { --tone: var(--edit); }
.tone-commit { --tone: var(--commit); }
.tone-action { --tone: var(--action); }
.tone-error { --tone: var(--error); }
.tone-quiet { --tone: var(--quiet); }
.detail { overflow: auto; padding: 12px 14px 20px; border-inline-start: 1px solid var(--line); overscroll-behavior: contain; overflow-wrap: anywhere; }
.title { display: flex; align-items: center; gap: 8px; }
.title strong { flex: none; max-width: 100%; font-size: 13.5px; }
.title .subject { color: var(--soft); }
.because { margin: 8px 0 12px; font-size: 14px; line-height: 1.5; }
h3 { margin: 18px 0 6px; font-size: 11px; font-weight: 600; letter-spacing: .04em; color: var(--soft); }
.empty { margin: 0; padding: 24px 16px; color: var(--soft); max-width: 44ch; }
.list > .empty { position: absolute; inset: 0; }
.detail > .empty { padding: 12px 2px; }
/* Nothing is there to select, and nothing was. */
.split:has(.list > .empty:not([hidden])):has(.detail > .empty) { grid-template: minmax(0, 1fr) / minmax(0, 1fr); }
.split:has(.list > .empty:not([hidden])):has(.detail > .empty) > .detail { display: none; }
.chain { list-style: none; margin: 0; padding: 0; }
.step { position: relative; display: grid; grid-template-columns: 8px minmax(0, 1fr); column-gap: 10px; padding: 0 0 10px; margin-inline-start: calc(var(--depth) * 14px); }
.step > .dot { margin-top: 7px; }
.step:not(:last-child)::before { content: ""; position: absolute; inset: 16px auto 0 3.5px; width: 1px; background: var(--line); }
.step p { grid-column: 2; margin: 0; color: var(--soft); }
.told { grid-column: 2; list-style: none; margin: 2px 0 0; padding: 0; color: var(--commit); }
.told li { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.step.is-selected > .plain .subject, .step.is-selected > .plain .verb { text-decoration: underline; text-underline-offset: 3px; }
.plain { display: flex; gap: 8px; align-items: baseline; width: 100%; border: 0; background: none; padding: 0 4px; margin-inline-start: -4px; min-height: 22px; text-align: start; }
.plain .verb, .plain .number { min-width: 0; }
.link { border: 0; background: none; padding: 0 2px; min-height: 20px; color: var(--accent); text-align: start; }
.link:hover { text-decoration: underline; background: none; }
.card { display: flex; flex-wrap: wrap; gap: 2px 10px; align-items: baseline; padding: 6px 8px; margin: 4px 0; border: 1px solid var(--line); border-radius: 8px; }
.change { display: flex; flex-wrap: wrap; gap: 6px; width: 100%; font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 11.5px; }
.field { color: var(--soft); }
del { color: var(--error); text-decoration-thickness: 1px; }
ins { color: var(--commit); text-decoration: none; }
.arrow { color: var(--soft); }
.callers { list-style: none; margin: 0 0 12px; padding: 0; }
.callers li { display: flex; gap: 8px; align-items: baseline; }
.callers code { color: var(--soft); }
.readers { list-style: none; margin: 0; padding: 0; }
.readers li { display: flex; gap: 8px; align-items: baseline; padding: 2px 0; }
.chip { flex: none; padding: 0 6px; border-radius: 999px; background: var(--hover); color: var(--soft); font-size: 11px; }
table { width: 100%; border-collapse: collapse; margin-top: 8px; }
th { text-align: start; font-weight: 400; color: var(--soft); vertical-align: top; padding: 3px 12px 3px 0; white-space: nowrap; }
td { padding: 3px 0; vertical-align: top; }
td.note { text-align: end; white-space: nowrap; }
details { margin-top: 12px; }
summary { cursor: pointer; color: var(--soft); }
textarea { width: 100%; margin: 8px 0; padding: 8px; resize: vertical; }
.status { min-height: 0; margin: 0; padding: 4px 12px; border-top: 1px solid var(--line); color: var(--soft); background: var(--sunken); }
.status:empty { display: none; }
@container (width < 780px) {
  .head { flex-wrap: wrap; }
}
@container (width < 620px) {
  .split { grid-template-columns: minmax(0, 1fr); grid-template-rows: minmax(0, 1fr) minmax(0, 1fr); }
  .detail { border-inline-start: 0; border-top: 1px solid var(--line); }
  .row time { display: none; }
  .row { gap: 6px; padding: 0 6px; }
  .verb { min-width: 60px; }
  .head .tools { margin-inline-start: 0; width: 100%; }
  [role="tab"] { padding: 2px 5px; }
  .head .tools > input { flex: 1 1 84px; width: 84px; min-width: 0; }
  .tools select { max-width: 84px; }
  .tools .wide { display: none; }
  .icon { width: 26px; }
}
`
