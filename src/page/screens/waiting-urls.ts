/** The waiting URLs of a crawl: by priority, by depth, by host; parked patterns; random visits. */
import { html, type Markup } from '../markup.ts';
import { meter, table } from '../pieces.ts';
import { surveyOf } from '../place.ts';
import type { DatedSurvey } from '../readings.ts';
import { get, type Route } from '../route.ts';
import { countText, STRINGS, shareText } from '../strings.ts';

const TEXT = STRINGS.frontier;
const ROWS = 20;

export const frontier: readonly Route[] = [
  get('/frontier', async ({ place }) => {
    const survey = await surveyOf(place);
    const parts = html`${bands(survey)}${depths(survey)}${byHost(survey)}${parked(survey, place.dir)}${explored(survey)}`;
    return { kind: 'screen', title: TEXT.title, main: html`<h1>${TEXT.title}</h1><div class="panels">${parts}</div>` };
  }),
];

function bands({ waiting }: DatedSurvey): Markup {
  const rows = waiting.bands.map((count, i) => [TEXT.band((i / 10).toFixed(1), ((i + 1) / 10).toFixed(1)), count] as const).reverse();
  return counts(TEXT.bands, TEXT.priority, rows);
}

function depths({ waiting }: DatedSurvey): Markup {
  return counts(
    TEXT.depths,
    TEXT.depth,
    waiting.depths.map((count, depth) => [countText(depth), count] as const),
  );
}

function byHost({ hosts }: DatedSurvey): Markup {
  const rows = [...hosts].filter(({ waiting }) => waiting > 0).sort((a, b) => b.waiting - a.waiting);
  return counts(
    TEXT.byHost,
    TEXT.host,
    rows.slice(0, ROWS).map(({ host, waiting }) => [host, waiting] as const),
  );
}

function counts(title: string, head: string, rows: readonly (readonly [string, number])[]): Markup {
  const most = Math.max(1, ...rows.map(([, count]) => count));
  return html`<section><h2>${title}</h2>${
    rows.length === 0
      ? html`<p>${TEXT.none}</p>`
      : table(
          title,
          [
            { head, cell: ([name]) => html`<bdi>${name}</bdi>` },
            { head: TEXT.urls, cell: ([, count]) => countText(count), isNumber: true },
            { head: '', cell: ([, count]) => meter(count / most) },
          ],
          rows,
        )
  }</section>`;
}

/** Patterns are released by the next run, since the frontier belongs to the run. */
function parked({ status: { parked: reasons } }: DatedSurvey, dir: string): Markup {
  const rows = Object.entries(reasons).sort(([, a], [, b]) => b - a);
  const isPattern = rows.some(([reason]) => reason.startsWith('pattern '));
  return html`${counts(TEXT.parked, TEXT.reason, rows)}${isPattern && html`<p>${TEXT.release} <code>forager crawl ${dir} --unpark all</code></p>`}`;
}

function explored({ status: { explored: found } }: DatedSurvey): Markup {
  if (found === null) return html`<section><h2>${TEXT.explored}</h2><p>${TEXT.noExplored}</p></section>`;
  const { visits, onTopic } = found;
  return html`<section><h2>${TEXT.explored}</h2><p>${TEXT.exploredText(countText(visits), countText(onTopic), shareText(visits === 0 ? 0 : onTopic / visits))}</p></section>`;
}
