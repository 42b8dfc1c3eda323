/** The subtopics of the kept pages, and wishes about them: more of this, none of that. */
import { countText, percentText } from '../../../base/text/number-text.ts';
import { sentence } from '../../../base/text/sentence.ts';
import { wishText } from '../../../base/text/wishes-text.ts';
import { crawlPaths } from '../../../crawling/crawl-dir/crawl-directory.ts';
import type { Subtopic } from '../../../study/inspect/subtopics.ts';
import { readWishes } from '../../../study/label/wish-log.ts';
import type { SubtopicsReport } from '../../app/crawl-subtopics.ts';
import { jobState } from '../job-state.ts';
import { html, type Markup } from '../markup.ts';
import { button, type HtmlColumn, table, urlLink } from '../pieces.ts';
import { type Asked, get, post, type Route } from '../route.ts';
import { STRINGS, timeText } from '../strings.ts';

const TEXT = STRINGS.topics;
const BACK = { kind: 'see', path: '/topics' } as const;
const HOSTS = 3;
const EXAMPLES = 3;

export const subtopicsScreen: readonly Route[] = [
  get('/topics', async (asked) => ({ kind: 'screen', title: TEXT.title, main: screen(asked) })),
  post('/topics/find', async ({ place, form }) => {
    place.jobs.start('subtopics', { again: form.get('again') === 'yes' });
    return BACK;
  }),
  post('/topics/stop', async ({ place, form }) => {
    place.jobs.stop(form.get('what') === 'steer' ? 'steer' : 'subtopics');
    return BACK;
  }),
  post('/topics/wish', async ({ place, form, person }) => {
    const given = form.get('way');
    const way = given === 'more' || given === 'none' ? given : 'undo';
    place.jobs.start('steer', { way, id: form.get('id') ?? '', ...(person.name !== null && { name: person.name }) });
    return BACK;
  }),
];

function screen(asked: Asked): Markup {
  const { place, formToken } = asked;
  const [found, wish] = [place.jobs.last('subtopics'), place.jobs.last('steer')];
  const report = found?.state === 'done' ? found.value : null;
  const find =
    found?.state !== 'running' &&
    html`<div class="start">${button(formToken, '/topics/find', report === null ? TEXT.find : TEXT.update)}
${report !== null && button(formToken, '/topics/find', TEXT.again, { again: 'yes' })}<small>${TEXT.cost}</small></div>`;
  return html`<h1>${TEXT.title}</h1><p>${TEXT.about}</p>${wishes(asked)}${jobState(wish, formToken, '/topics/stop', 'steer')}
${wish?.state === 'done' && html`<p role="status">${sentence(TEXT.applied[wish.value.applied])}</p>`}
${jobState(found, formToken, '/topics/stop', 'subtopics')}${find}
${report !== null && found !== null && subtopicTable(report, asked, found.at)}`;
}

function wishes({ place, formToken }: Asked): Markup | null {
  const active = readWishes(crawlPaths(place.dir));
  if (active.length === 0) return null;
  return html`<section><h2>${TEXT.wishes}</h2><ul>${active.map((one) => html`<li><bdi>${wishText(one)}</bdi></li>`)}</ul>
${button(formToken, '/topics/wish', TEXT.undo, { way: 'undo' })}</section>`;
}

function subtopicTable({ kept, read, subtopics }: SubtopicsReport, { formToken }: Asked, at: number): Markup {
  const columns: HtmlColumn<Subtopic>[] = [
    {
      head: TEXT.name,
      cell: ({ name, terms }) => html`<strong><bdi>${name}</bdi></strong><div><small><bdi>${terms.slice(3).join(', ')}</bdi></small></div>`,
    },
    { head: TEXT.pages, cell: ({ pages, share }) => `${countText(pages)} (${percentText(share)})`, isNumber: true },
    { head: TEXT.yield, cell: (one) => yieldOf(one.yield) },
    {
      head: TEXT.hosts,
      cell: ({ hosts }) => hosts.slice(0, HOSTS).map(({ host, share }) => html`<div><bdi>${host}</bdi> ${percentText(share)}</div>`),
    },
    { head: TEXT.years, cell: ({ years }) => yearsOf(years) },
    {
      head: TEXT.examples,
      cell: ({ examples }) =>
        examples.slice(0, EXAMPLES).map(({ url, title }) => html`<div class="example"><bdi>${title}</bdi> ${urlLink(url)}</div>`),
    },
    {
      head: TEXT.steer,
      cell: ({ id }) => [
        button(formToken, '/topics/wish', TEXT.more, { way: 'more', id }),
        button(formToken, '/topics/wish', TEXT.none, { way: 'none', id }),
      ],
    },
  ];
  const of = read < kept ? TEXT.sample(countText(read), countText(kept)) : TEXT.all(countText(kept));
  return html`<p>${of} <small>${STRINGS.asOf(timeText(at))}</small></p><p><small>${TEXT.yieldMeans}</small></p>${table(TEXT.title, columns, subtopics)}`;
}

function yieldOf({ visits, onTopic, same }: Subtopic['yield']): string {
  if (visits === 0) return STRINGS.none;
  return TEXT.yieldOf(percentText(onTopic / visits), percentText(same / visits), countText(visits));
}

function yearsOf(years: Subtopic['years']): string {
  const [first, last] = [years[0]?.year, years.at(-1)?.year];
  return first === undefined ? STRINGS.none : first === last ? String(first) : TEXT.between(String(first), String(last));
}
