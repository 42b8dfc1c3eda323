/** The statements of the owners of the kept pages about rights and use, by protocol and host. */
import { USES } from '../../../base/core/types.ts';
import { countText } from '../../../base/text/number-text.ts';
import type { ProtocolPages } from '../../../corpus/select/protocol-counts.ts';
import type { RightsRow } from '../../../corpus/select/rights-ledger.ts';
import type { RightsReport } from '../../app/corpus-rights.ts';
import { jobState } from '../job-state.ts';
import { html, type Markup } from '../markup.ts';
import { button, type HtmlColumn, table } from '../pieces.ts';
import { type Asked, get, post, type Route } from '../route.ts';
import { STRINGS, timeText } from '../strings.ts';

const TEXT = STRINGS.rights;
const BACK = { kind: 'see', path: '/rights' } as const;
/** Statements that the screen shows; the command prints all. */
const SHOWN = 200;

export const rightsScreen: readonly Route[] = [
  get('/rights', async (asked) => ({ kind: 'screen', title: TEXT.title, main: screen(asked) })),
  post('/rights/read', async ({ place }) => {
    place.jobs.start('rights', {});
    return BACK;
  }),
  post('/rights/stop', async ({ place }) => {
    place.jobs.stop('rights');
    return BACK;
  }),
];

function screen({ place, formToken }: Asked): Markup {
  const job = place.jobs.last('rights');
  const report = job?.state === 'done' ? job.value : null;
  const read =
    job?.state !== 'running' &&
    html`<div class="start">${button(formToken, '/rights/read', report === null ? TEXT.read : TEXT.again)}<small>${TEXT.cost}</small></div>`;
  return html`<h1>${TEXT.title}</h1><p>${TEXT.about}</p>${jobState(job, formToken, '/rights/stop', 'rights')}${read}
${report !== null && job !== null && tables(report, job.at)}`;
}

function tables({ pages, stating, protocols, statements }: RightsReport, at: number): Markup {
  const more = statements.length > SHOWN && html`<p>${TEXT.more(countText(statements.length - SHOWN))}</p>`;
  return html`<p>${TEXT.stating(countText(stating), countText(pages))} <small>${STRINGS.asOf(timeText(at))}</small></p>
${table(TEXT.byProtocol, PROTOCOL_COLUMNS, protocols)}${table(TEXT.byHost, ROW_COLUMNS, statements.slice(0, SHOWN))}${more}`;
}

const PROTOCOL_COLUMNS: readonly HtmlColumn<ProtocolPages>[] = [
  { head: TEXT.protocol, cell: ({ protocol }) => protocol },
  { head: TEXT.pages, cell: ({ pages }) => countText(pages), isNumber: true },
  { head: TEXT.hosts, cell: ({ hosts }) => countText(hosts), isNumber: true },
  { head: TEXT.disallow, cell: (one) => usesOf(one, 'disallow') },
  { head: TEXT.allow, cell: (one) => usesOf(one, 'allow') },
  { head: TEXT.notUnderstood, cell: ({ notUnderstood }) => countText(notUnderstood), isNumber: true },
];

function usesOf({ uses }: ProtocolPages, word: 'allow' | 'disallow'): string {
  return USES.flatMap((use) => (uses[use]?.[word] ? [`${use} ${countText(uses[use][word])}`] : [])).join(', ');
}

const ROW_COLUMNS: readonly HtmlColumn<RightsRow>[] = [
  { head: TEXT.host, cell: ({ host }) => html`<bdi>${host}</bdi>` },
  { head: TEXT.protocol, cell: ({ protocol, from }) => `${protocol} (${from})` },
  { head: TEXT.statement, cell: statementCell },
  { head: TEXT.pages, cell: ({ pages }) => countText(pages), isNumber: true },
  { head: TEXT.first, cell: ({ first }) => first.slice(0, 10) },
  { head: TEXT.last, cell: ({ last }) => last.slice(0, 10) },
];

function statementCell({ statement, path, understood, replaces }: RightsRow): Markup {
  return html`<code><bdi>${path === null ? '' : `${path} `}${statement}</bdi></code>${!understood && html` <small>${TEXT.unknown}</small>`}
${replaces !== null && html`<div><small>${TEXT.before} <code><bdi>${replaces}</bdi></code></small></div>`}`;
}
