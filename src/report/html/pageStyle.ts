/** The page's style: light or dark by the reader's setting, no external font or image. */
export const pageStyle = `
:root { color-scheme: light dark;
  --page: light-dark(#f6f7f9, #14171c); --card: light-dark(#fff, #1c2027); --line: light-dark(#dcdfe5, #31363f);
  --text: light-dark(#1b1f27, #e4e7ec); --soft: light-dark(#5b6472, #9aa3b2); --code: light-dark(#eef0f4, #262b34);
  --good: light-dark(#12733a, #5ed18a); --bad: light-dark(#b3261e, #ff8a80); --hold: light-dark(#8a5300, #f2b75c);
  --plus: light-dark(#e2f5e8, #173524); --minus: light-dark(#fde7e5, #43201f); --accent: light-dark(#1f5fbf, #8ab8ff); }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
.skip { position: absolute; left: -99rem; } .skip:focus { left: 1rem; top: 1rem; background: var(--card); padding: .5rem; z-index: 9; }
main { max-width: 76rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.15rem; margin: 0 0 1rem; color: var(--soft); font-weight: 600; }
h2 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .25rem; } h2 small { font-size: .9rem; font-weight: 400; color: var(--soft); overflow-wrap: anywhere; }
h3 { font-size: 1.05rem; margin: 0 0 .6rem; } h5 { margin: .8rem 0 .25rem; font-size: .8rem; color: var(--soft); }
a { color: var(--accent); } :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
code, pre { font: .86em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
code { background: var(--code); padding: .1em .35em; border-radius: 4px; overflow-wrap: anywhere; }
pre { background: var(--code); margin: 0; padding: .6rem .75rem; border-radius: 6px; overflow: auto; max-height: 30rem; white-space: pre-wrap; overflow-wrap: anywhere; }
summary { cursor: pointer; } p { margin: .25rem 0; }
section, .verdict, .overview { position: relative; background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1rem 1.25rem; margin: 0 0 1rem; }
.run { --state: var(--bad); margin: 0 0 2rem; scroll-margin-top: 1rem; } .run.good { --state: var(--good); } .run.limited, .run.blocked { --state: var(--hold); }
.verdict { border-left: 6px solid var(--state); } .verdict .sign { color: var(--state); }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(13rem, 45%), 1fr)); gap: .6rem 1.5rem; margin: 1rem 0 0; }
.facts dt { font-size: .78rem; color: var(--soft); } .facts dd { margin: 0; overflow-wrap: anywhere; }
.said { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0; } blockquote { border-left: 3px solid var(--line); margin: 0; padding: 0 0 0 1rem; max-height: 40rem; overflow: auto; overflow-wrap: anywhere; }
.markdown > :first-child { margin-top: 0; } .markdown > :last-child { margin-bottom: 0; } .markdown :is(h1, h2, h3, h4) { font-size: 1rem; margin: .8rem 0 .3rem; color: inherit; } .markdown pre code { padding: 0; } .markdown :is(ul, ol) { padding-left: 1.4rem; margin: .3rem 0; } .markdown table { width: auto; }
.prompt { margin-top: .5rem; } .prompt summary { color: var(--soft); }
footer[hidden] { display: none; } .wide { overflow-x: auto; } .wide code { overflow-wrap: normal; } .rest > summary { color: var(--accent); margin: 0 0 1rem 1.25rem; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: .35rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-size: .78rem; color: var(--soft); font-weight: 600; } .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
tbody tr:last-child td { border-bottom: 0; } .plus, .ok > .mark { color: var(--good); } .minus { color: var(--bad); }
.list { list-style: none; margin: 0; padding: 0; } .list > li { padding: .5rem 0; border-bottom: 1px solid var(--line); } .list > li:last-child { border: 0; }
.list > li.error > p:first-child { color: var(--bad); }
.refusal { display: grid; grid-template-columns: max-content 1fr; gap: .2rem .9rem; margin: .35rem 0 0; padding: .5rem .75rem; border-left: 3px solid var(--hold); }
.refusal dt { color: var(--soft); font-size: .85rem; } .refusal dd { margin: 0; overflow-wrap: anywhere; }
.diff { margin-top: .8rem; } .diff > details { margin-top: .5rem; } .diff summary { padding: .2rem 0; }
.lines { padding: .4rem 0; white-space: pre; } .lines span { display: block; padding: 0 .75rem; min-width: max-content; }
.lines .added { background: var(--plus); } .lines .removed { background: var(--minus); } .lines .hunk { color: var(--accent); } .lines .file { color: var(--soft); }
.box { position: absolute; opacity: 0; }
.filters { position: sticky; top: 0; z-index: 3; display: flex; flex-wrap: wrap; gap: .4rem .8rem; align-items: center; background: var(--card); border-bottom: 1px solid var(--line); padding: .5rem .25rem; color: var(--soft); }
.filters label { display: inline-flex; gap: .3rem; align-items: center; max-width: 100%; } .kind { cursor: pointer; color: var(--text); } .kind::before { content: '☐ '; }
.filters input, .filters select, .filters button { min-width: 0; font: inherit; color: var(--text); background: var(--page); border: 1px solid var(--line); border-radius: 6px; padding: .15rem .5rem; }
.filters output { margin-left: auto; } .filters [hidden] { display: none; }
.timeline { list-style: none; margin: 0; padding: 0; }
.entry { border-bottom: 1px solid var(--line); } .entry:last-child { border: 0; } .entry[hidden] { display: none; }
.row { display: flex; gap: .6rem; align-items: baseline; padding: .4rem .25rem; list-style: none; } .row::-webkit-details-marker { display: none; }
summary.row:hover { background: var(--code); } details[open] > summary.row { background: var(--code); border-radius: 6px 6px 0 0; }
.at { flex: 0 0 3.4rem; color: var(--soft); font-size: .8rem; font-variant-numeric: tabular-nums; text-align: right; }
.mark { flex: 0 0 1.3rem; text-align: center; } .what { flex: 1 1 auto; min-width: 0; overflow-wrap: anywhere; } .what code { background: none; padding: 0; }
.took { flex: 0 0 4.2rem; text-align: right; color: var(--soft); font-size: .85rem; font-variant-numeric: tabular-nums; }
.bar { flex: 0 0 7rem; height: .5rem; align-self: center; background: var(--code); border-radius: 3px; position: relative; overflow: hidden; } .bar i { position: absolute; inset-block: 0; min-width: 2px; background: var(--accent); border-radius: 3px; }
.call.ok .mark { color: var(--good); } .call.failed .mark, .note.error .mark { color: var(--bad); } .note.warning .mark { color: var(--hold); }
.call.failed .bar i { background: var(--bad); } .call.denied .bar { visibility: hidden; }
.badge { font-size: .75rem; font-weight: 600; padding: .05rem .45rem; border-radius: 99px; border: 1px solid currentColor; } .badge.failed, .badge.error { color: var(--bad); } .badge.denied, .badge.warning { color: var(--hold); }
.note { color: var(--soft); } .note.error .what, .note.warning .what { color: var(--text); } .detail { color: var(--soft); }
.message .said { flex: 1; } .inset .what, .inset .said { padding-left: 1.5rem; border-left: 2px solid var(--line); }
.body { padding: .2rem 1rem 1rem 5.4rem; } .whole { margin-top: .8rem; } .whole summary { color: var(--soft); font-size: .8rem; padding: .2rem 0; } .empty { color: var(--soft); }
.overview tbody tr { --state: var(--bad); } .overview tr.good { --state: var(--good); } .overview tr.limited, .overview tr.blocked { --state: var(--hold); } .overview .sign { color: var(--state); }
footer { color: var(--soft); font-size: .85rem; }
@media (max-width: 44rem) { .bar, .at { display: none; } .body { padding-left: 1rem; } main { padding: .75rem .5rem 3rem; } section, .verdict { padding: .75rem; } .wide { font-size: .85rem; } .wide code { overflow-wrap: anywhere; } .wide :is(th, td) { padding: .35rem .3rem; } }
@media print { .filters { display: none; } }
`
