/** Suggested seeds: who cites them, why they were not visited, and a list of those that the next run shall visit. */

import { UsageError } from '../../../base/core/errors.ts';
import { commandOn } from '../../../base/text/forager-command.ts';
import { countText } from '../../../base/text/number-text.ts';
import { pathWord } from '../../../base/text/shell-line.ts';
import type { CitedHost, CitedPage, FoundSeeds } from '../../app/find-seeds.ts';
import { chooseSeeds, chosenFile, chosenSeeds, emptyChosenSeeds, seedUrls } from '../chosen-seeds.ts';
import { commandLine } from '../command-line.ts';
import { jobState } from '../job-state.ts';
import { html, type Markup } from '../markup.ts';
import { actionForm, button, type HtmlColumn, table, urlLink } from '../pieces.ts';
import { type Asked, get, post, type Route } from '../route.ts';
import { isUnderWay, type RunNow } from '../run.ts';
import { STRINGS, timeText } from '../strings.ts';

const TEXT = STRINGS.seeds;
/** Twice as many as the command shows: a screen has more room. */
const TOP = 40;
const BACK = { kind: 'see', path: '/seeds' } as const;

export const seeds: readonly Route[] = [
  get('/seeds', async (asked) => ({ kind: 'screen', title: TEXT.title, main: await screen(asked, await asked.place.run.now()) })),
  post('/seeds/search', async ({ place }) => {
    place.jobs.start('seeds', { top: TOP });
    return BACK;
  }),
  post('/seeds/stop', async ({ place }) => {
    place.jobs.stop('seeds');
    return BACK;
  }),
  post('/seeds/add', async ({ place, form }) => {
    const texts = [...form.getAll('seed'), ...(form.get('others') ?? '').split(/\r?\n/)];
    if (isUnderWay(await place.run.now())) await place.run.addSeeds(seedUrls(texts));
    else chooseSeeds(place.dir, texts);
    return BACK;
  }),
  post('/seeds/add-list', async ({ place: { run, dir } }) => {
    if (!isUnderWay(await run.now())) throw new UsageError(STRINGS.frontier.noRun(commandOn('crawl', dir, '--page')));
    await run.addSeeds(seedUrls(chosenSeeds(dir)));
    emptyChosenSeeds(dir);
    return BACK;
  }),
  post('/seeds/clear', async ({ place }) => {
    emptyChosenSeeds(place.dir);
    return BACK;
  }),
];

async function screen(asked: Asked, run: RunNow): Promise<Markup> {
  const { place, formToken } = asked;
  const job = place.jobs.last('seeds');
  const search =
    job?.state === 'running'
      ? null
      : html`<div class="start">${button(formToken, '/seeds/search', job?.state === 'done' ? TEXT.again : TEXT.search)}<small>${TEXT.cost}</small></div>`;
  return html`<h1>${TEXT.title}</h1><p>${TEXT.about}</p>${await added(run, asked)}${chosen(run, asked)}
${jobState(job, formToken, '/seeds/stop', 'seeds')}${search}${job?.state === 'done' && counted(job.value, job.at)}
${addForm(run, asked, job?.state === 'done' ? job.value : null)}`;
}

/** The last seeds that were added to the running crawl, with their states. */
async function added(run: RunNow, { place: { reader } }: Asked): Promise<Markup | null> {
  if (!isUnderWay(run) || run.seeds.count === 0) return null;
  const urls = [...run.seeds.last].reverse();
  const states = await reader.ask('states', urls);
  const rows = urls.map((url, i) => ({ url, state: states[i] ?? TEXT.notStored }));
  const columns: HtmlColumn<(typeof rows)[number]>[] = [
    { head: TEXT.seedUrl, cell: ({ url }) => urlLink(url) },
    { head: TEXT.state, cell: ({ state }) => state },
  ];
  return html`<section><h2>${TEXT.added}</h2>${table(TEXT.addedCount(countText(run.seeds.count)), columns, rows)}</section>`;
}

/** The seeds chosen so far, and the command that crawls them. */
function chosen(run: RunNow, { place, formToken }: Asked): Markup | null {
  const urls = chosenSeeds(place.dir);
  if (urls.length === 0) return null;
  const file = chosenFile(place.dir);
  return html`<section><h2>${TEXT.list}</h2><p>${TEXT.listed(countText(urls.length), file)}</p>
<ul>${urls.map((url) => html`<li class="url"><bdi>${url}</bdi></li>`)}</ul>
${isUnderWay(run) ? button(formToken, '/seeds/add-list', TEXT.submitToRun) : html`<p>${TEXT.run}</p>${commandLine(commandOn('crawl', place.dir, '--seeds', pathWord(file)))}`}
${button(formToken, '/seeds/clear', TEXT.clear)}</section>`;
}

function counted({ read, unread }: FoundSeeds, at: number): Markup {
  return html`<p>${TEXT.read(countText(read))} ${unread > 0 && TEXT.unread(countText(unread))} <small>${STRINGS.asOf(timeText(at))}</small></p>`;
}

function addForm(run: RunNow, { formToken }: Asked, found: FoundSeeds | null): Markup {
  return actionForm(
    formToken,
    '/seeds/add',
    html`${found !== null && html`<section><h2>${TEXT.hosts}</h2>${hostTable(found.hosts)}</section><section><h2>${TEXT.pages}</h2>${pageTable(found.pages)}</section>`}
<section><label class="block">${TEXT.others} <textarea name="others" rows="3"></textarea></label></section><div class="sticky"><button class="main">${isUnderWay(run) ? TEXT.submitToRun : TEXT.submit}</button></div>`,
  );
}

function hostTable(hosts: readonly CitedHost[]): Markup {
  if (hosts.length === 0) return html`<p>${TEXT.none}</p>`;
  return table(
    TEXT.hosts,
    [
      { head: TEXT.add, cell: ({ seed }) => box(seed) },
      { head: TEXT.host, cell: ({ host }) => html`<bdi>${host}</bdi>` },
      { head: TEXT.seed, cell: ({ seed }) => html`<bdi>${seed}</bdi>` },
      ...citing<CitedHost>(),
      { head: TEXT.notVisited, cell: ({ unvisited }) => reasons(unvisited) },
      { head: TEXT.examples, cell: examples },
    ],
    hosts,
  );
}

function pageTable(pages: readonly CitedPage[]): Markup {
  if (pages.length === 0) return html`<p>${TEXT.none}</p>`;
  return table(
    TEXT.pages,
    [
      { head: TEXT.add, cell: ({ url }) => box(url) },
      { head: TEXT.page, cell: ({ url, state }) => (state === 'undiscovered' ? html`<bdi>${url}</bdi>` : urlLink(url)) },
      ...citing<CitedPage>(),
      { head: TEXT.notVisited, cell: ({ state, reason }) => (reason === '' ? state : `${state}: ${reason}`) },
      { head: TEXT.examples, cell: examples },
    ],
    pages,
  );
}

function citing<Row extends Pick<CitedHost, 'hosts' | 'pages'>>(): readonly HtmlColumn<Row>[] {
  return [
    { head: TEXT.citingHosts, cell: ({ hosts }) => countText(hosts), isNumber: true },
    { head: TEXT.citingPages, cell: ({ pages }) => countText(pages), isNumber: true },
  ];
}

function box(url: string): Markup {
  return html`<input type="checkbox" name="seed" value="${url}" aria-label="${TEXT.choose(url)}">`;
}

function reasons(unvisited: CitedHost['unvisited']): Markup[] {
  const most = Object.entries(unvisited).sort(([, a], [, b]) => b - a);
  return most.map(([why, count]) => html`<div>${countText(count)} ${why}</div>`);
}

function examples({ examples }: Pick<CitedHost, 'examples'>): Markup[] {
  return examples.map(({ page, anchorText }) => html`<div class="example"><bdi>${TEXT.example(anchorText)}</bdi> ${urlLink(page)}</div>`);
}
