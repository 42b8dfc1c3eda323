import { EXIT } from '../../../base/core/errors.ts';
import { USES, type Use } from '../../../base/core/types.ts';
import { counted, countText } from '../../../base/text/number-text.ts';
import { csvCell } from '../../../base/text/table-cells.ts';
import type { ProtocolPages } from '../../../corpus/select/protocol-counts.ts';
import type { RightsRow } from '../../../corpus/select/rights-ledger.ts';
import type { RightsReport } from '../../app/corpus-rights.ts';
import { print, printableJsonLine } from '../command.ts';
import type { CommandOptions } from '../define.ts';
import { longWork, type Shown } from '../long-work.ts';
import { onDamagedOf } from '../skip-damaged.ts';

const READING: Shown<number> = { start: 0, line: (done) => `read ${counted(done, 'page')}`, stopping: 'Stopping.' };
/** Statements of the listing; --format has all. */
const SHOWN = 40;
const MAX_WORDS = 70;

export async function runRights({ corpus, host, format, skipDamaged }: CommandOptions<'rights'>): Promise<number> {
  const { statedRights } = await import('../../app/corpus-rights.ts');
  const report = await longWork(READING, (signal, progress) =>
    statedRights(corpus, { ...(host !== undefined && { host }), ...onDamagedOf(skipDamaged), signal, progress }),
  );
  if (report === null) return EXIT.interrupted;
  const lines = format === undefined ? linesOf(report) : rowsIn(format, report.statements);
  for (const line of lines) print(line);
  return EXIT.done;
}

function* rowsIn(format: 'csv' | 'jsonl', rows: readonly RightsRow[]): Generator<string> {
  if (format === 'csv') yield COLUMNS.map(([name]) => name).join(',');
  for (const row of rows) yield format === 'csv' ? COLUMNS.map(([, of]) => csvCell(of(row))).join(',') : printableJsonLine(row);
}

const COLUMNS: readonly (readonly [name: string, of: (row: RightsRow) => string])[] = [
  ['host', ({ host }) => host],
  ['protocol', ({ protocol }) => protocol],
  ['from', ({ from }) => from],
  ['path', ({ path }) => path ?? ''],
  ['statement', ({ statement }) => statement],
  ['understood', ({ understood }) => String(understood)],
  ...USES.map((use) => [use, ({ uses }: RightsRow) => uses[use] ?? ''] as const),
  ['pages', ({ pages }) => String(pages)],
  ['first', ({ first }) => first],
  ['last', ({ last }) => last],
  ['replaces', ({ replaces }) => replaces ?? ''],
];

function* linesOf({ corpus, pages, stating, protocols, statements }: RightsReport): Generator<string> {
  yield `${corpus}: ${countText(stating)} of ${counted(pages, 'page')} ${stating === 1 ? 'has' : 'have'} statements about rights and use`;
  for (const one of protocols) yield protocolLine(one);
  if (statements.length > 0) yield '';
  for (const row of statements.slice(0, SHOWN)) yield* rowLines(row);
  if (statements.length > SHOWN) yield `${countText(statements.length - SHOWN)} more; --format csv and --host print them`;
}

function protocolLine({ protocol, pages, hosts, uses, notUnderstood }: ProtocolPages): string {
  const words = USES.flatMap((use: Use) => {
    const { allow = 0, disallow = 0 } = uses[use] ?? {};
    return [
      ...(disallow > 0 ? [`${countText(disallow)} disallow ${use}`] : []),
      ...(allow > 0 ? [`${countText(allow)} allow ${use}`] : []),
    ];
  });
  const unknown = notUnderstood > 0 ? [`${countText(notUnderstood)} with words that are not understood`] : [];
  const all = [`${counted(pages, 'page')} of ${counted(hosts, 'host')}`, ...words, ...unknown];
  return `  ${protocol.padEnd(15)} ${all.join('; ')}`;
}

function* rowLines({ host, protocol, from, path, statement, pages, first, last, understood, replaces }: RightsRow): Generator<string> {
  const words = statement.length > MAX_WORDS ? `${statement.slice(0, MAX_WORDS)}…` : statement;
  const at = path === null ? '' : ` for ${path}`;
  const span = first.slice(0, 10) === last.slice(0, 10) ? first.slice(0, 10) : `${first.slice(0, 10)} to ${last.slice(0, 10)}`;
  yield `${host}  ${protocol} (${from}${at}): ${words}${understood ? '' : ' [not understood]'}`;
  yield `  ${counted(pages, 'page')}, ${span}${replaces === null ? '' : `; before: ${replaces.slice(0, MAX_WORDS)}`}`;
}
