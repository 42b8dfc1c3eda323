import { byteLines } from '../records/records.ts';
import type { Member } from '../select/corpus-columns.ts';
import type { LinkRow } from '../select/corpus-links.ts';
import { type InLinkRow, inLinkLines } from '../select/in-links.ts';
import { type HarvestContext, NO_FACTS, type OutputFormat } from './output-format.ts';
import { ParquetTable } from './parquet-table.ts';

/** One `LinkRow` a line. */
export const LINKS_FILE = 'links.jsonl';
/** One `InLinkRow` a line. */
export const IN_LINKS_FILE = 'in-links.jsonl';
/** File of the link rows with the format `parquet`. */
export const LINKS_TABLE = 'links.parquet';
export const IN_LINKS_TABLE = 'in-links.parquet';

/** A row has some 300 bytes: a row group has a few megabytes. */
const GROUP_ROWS = 10_000;

/** The rows are read before the pages are written: each page has its PageRank, in all formats. */
export const links = {
  name: 'links',
  help: 'links.jsonl and in-links.jsonl: links of the pages, and anchor texts by target; adds the column pageRank to the pages; with parquet, both also as Parquet',
  copies: false,
  links: 'needed',
  async open(harvest) {
    const { folder, links, formats } = harvest;
    return {
      write: async () => undefined,
      finish: async () => {
        if (links === null) return NO_FACTS;
        folder.list(LINKS_FILE, links.file);
        const file = await folder.file(IN_LINKS_FILE);
        for await (const line of inLinkLines(links.rows(), links.facts.links, folder.path('in-links.part'))) await file.write(line);
        await folder.finish(IN_LINKS_FILE);
        if (formats.includes('parquet')) {
          await writeTable(harvest, LINKS_TABLE, LINK_COLUMNS, links.rows());
          await writeTable(harvest, IN_LINKS_TABLE, IN_LINK_COLUMNS, inLinkRows(folder.path(IN_LINKS_FILE)));
        }
        return NO_FACTS;
      },
    };
  },
} as const satisfies OutputFormat;

async function writeTable(harvest: HarvestContext, name: string, columns: readonly Member[], rows: AsyncIterable<object>): Promise<void> {
  const table = await ParquetTable.create(harvest, { name, columns, groupRows: GROUP_ROWS });
  for await (const row of rows) await table.write(row);
  await table.finish();
}

async function* inLinkRows(path: string): AsyncGenerator<InLinkRow> {
  for await (const line of byteLines(path, Number.POSITIVE_INFINITY)) yield JSON.parse(line.toString('utf8')) as InLinkRow;
}

type Column<Row> = Member & { readonly name: keyof Row & string };

function column<Row>(name: Column<Row>['name'], type: Member['type'], help: string, nullable = false): Column<Row> {
  return { name, type, nullable, help };
}

const LINK_COLUMNS: readonly Column<LinkRow>[] = [
  column('id', 'string', 'id of the page'),
  column('url', 'string', 'URL of the page'),
  column('target', 'string', 'canonical URL of the target'),
  column('targetId', 'string', 'id of the target if it is in the corpus', true),
  column('anchorText', 'string', 'visible text of the link'),
  column('rel', { list: 'string' }, 'values of rel'),
  column('nofollow', 'boolean', 'is the link nofollow?'),
  column('zone', 'string', 'part of the page that the link is in'),
];

const ANCHOR: readonly Member[] = [
  { name: 'text', type: 'string', nullable: false, help: 'anchor text' },
  { name: 'pages', type: 'int32', nullable: false, help: 'pages with this text' },
];

const IN_LINK_COLUMNS: readonly Column<InLinkRow>[] = [
  column('target', 'string', 'canonical URL of the target'),
  column('targetId', 'string', 'id of the target if it is in the corpus', true),
  column('pages', 'int32', 'pages that link to it'),
  column('nofollow', 'int32', 'those whose link is nofollow'),
  column('hosts', 'int32', 'hosts of these pages'),
  column('anchors', { list: { struct: ANCHOR } }, 'anchor texts by number of pages'),
  column('anchorTexts', 'int32', 'distinct anchor texts'),
];
