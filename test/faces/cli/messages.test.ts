/** What the program says to people, read from its source: messages are written once and seen rarely. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../src', import.meta.url));

/** Strings and templates of a source file that name an option; comments left out. */
function messagesOf(path: string): string[] {
  const code = readFileSync(path, 'utf8').replace(/^\s*(?:\/?\*|\/\/).*$/gm, '');
  return code.match(/'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g) ?? [];
}

/** `--force` deletes a crawl. Who wants that finds it in the help; it is no way out of an error, and no end of a crawl. */
const OFFERED = /(?<!without )(?<!which )(?<!crawl )--force\b(?!-)/;
/** Models, corpora and files of options can be made again by the command that made them, and `--force` keeps what is not its own. */
const REPLACEABLE: ReadonlySet<string> = new Set(['faces/app/init-project.ts', 'base/disk/output.ts']);

test('no message offers to replace a crawl', () => {
  const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const offers = files
    .filter((name) => !REPLACEABLE.has(name))
    .flatMap((name) =>
      messagesOf(join(ROOT, name))
        // The bare word is a part of a command that the page shows beside the button of its own.
        .filter((message) => OFFERED.test(message) && message !== "'--force'")
        .map((message) => `${name}: ${message}`),
    );
  expect(files.length).toBeGreaterThan(300);
  expect(offers).toEqual([]);
});
