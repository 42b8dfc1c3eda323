/** The pages of a web of entries. Lists and menus are laid out here, not by the source; they have no words of their own that say what the web is about. */
import { escapedHtml } from '../../src/faces/web-ui/markup.ts';
import type { Entry, EntryWeb } from './entry.ts';
import { linkTo, listOf } from './html.ts';

/** One page of a built web. */
export interface EntryPage {
  readonly url: string;
  readonly html: string;
  readonly labels: readonly string[];
}

/** Entries of a list, as sites have them. */
const ENTRIES_PER_LIST = 100;

/** Front page, lists, entries and other pages. @param host of all pages whose path names none */
export function layOut(host: string, { entries, others }: EntryWeb): EntryPage[] {
  const lists = Array.from({ length: Math.ceil(entries.length / ENTRIES_PER_LIST) }, (_, i) =>
    entries.slice(i * ENTRIES_PER_LIST, (i + 1) * ENTRIES_PER_LIST),
  );
  const front = lists.map((own, i) => linkTo(listPath(i), `${own[0]?.title} – ${own.at(-1)?.title}`));
  const pages = [
    { path: '/', title: 'Contents', body: listOf('Lists', front), labels: [] },
    ...lists.map((own, i) => listPage(own, i, lists.length)),
    ...entries.map((entry, i) => ({ ...entry, body: `${entry.body}\n${neighbours(entries, i)}` })),
    ...others,
  ];
  const own = `http://${host}/`;
  return pages.map((page) => ({
    url: new URL(page.path, own).href,
    html: pageHtml(page).replaceAll(' href="/', ` href="${own}`),
    labels: page.labels,
  }));
}

function listPath(i: number): string {
  return `/list/${i + 1}.html`;
}

function listPage(own: readonly Entry[], i: number, lists: number): Entry {
  const around = [i - 1, i + 1].filter((other) => other >= 0 && other < lists);
  const items = own.map(({ path, title }) => linkTo(path, title));
  const next = around.map((other) => linkTo(listPath(other), `List ${other + 1}`));
  return { path: listPath(i), title: `List ${i + 1}`, body: `${listOf('Pages', items)}\n${listOf('More', next)}`, labels: [] };
}

function neighbours(entries: readonly Entry[], i: number): string {
  const own = Math.floor(i / ENTRIES_PER_LIST);
  const around = [entries[i - 1], entries[i + 1]].flatMap((other) => (other === undefined ? [] : [linkTo(other.path, other.title)]));
  return `<p>${[...around, linkTo(listPath(own), `List ${own + 1}`)].join(' | ')}</p>`;
}

function pageHtml({ title, body }: Entry): string {
  return `<!doctype html>
<html><head><meta charset="utf-8"><title>${escapedHtml(title)}</title></head>
<body><nav><a href="/">Contents</a></nav>
<main><h1>${escapedHtml(title)}</h1>
${body}
</main></body></html>
`;
}
