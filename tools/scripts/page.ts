/** tools/scripts/README.md: the tables of `npm run bench`, `npm run check` and `npm run data` for readers. `npm run docs` writes it. */
import { type Script, TABLES } from './table.ts';

const HEAD = `# Benches, checks and data

Every command of \`npm run bench\`, \`npm run check\` and \`npm run data\`. \`npm run docs\` writes this page from \`table.ts\`; a test holds it equal. The heading of each module says more: its arguments, its method, its limits.

\`npm run bench -- frontier --queued 1\` runs one, with arguments of its own. The Debian web is built by \`npm run data -- web-build\`, the webs of entries by \`npm run data -- entries-build\`, the labelled sets by \`npm run data -- topics-build\`.
`;

/** @returns the page in Markdown, with a final line feed */
export function scriptsPage(): string {
  return (
    HEAD +
    Object.entries(TABLES)
      .map(([table, scripts]) => section(table, scripts))
      .join('')
  );
}

function section(table: string, scripts: readonly Script[]): string {
  const rows = scripts.map(({ name, help, needs, module }) => `| \`npm run ${table} -- ${name}\` | ${help} | ${needs} | \`${module}\` |\n`);
  return `\n## npm run ${table}\n\n| command | task | needs | module |\n| --- | --- | --- | --- |\n${rows.join('')}`;
}
