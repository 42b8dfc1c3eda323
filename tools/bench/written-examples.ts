/** Pages of a built web as a file of examples. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes them as JSON lines with URL and HTML. @param web folder of the built web @param pages `host/path…` @returns `path` */
export function writtenExamples(path: string, web: string, pages: readonly string[]): string {
  const lines = pages.map((page) => JSON.stringify({ url: `http://${page}`, html: readFileSync(join(web, page), 'utf8') }));
  writeFileSync(path, lines.map((line) => `${line}\n`).join(''));
  return path;
}
