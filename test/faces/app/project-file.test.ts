import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { ConfigFile, configured } from '../../../src/crawling/settings/config-file.ts';
import { type ProjectAnswers, projectText } from '../../../src/faces/app/project-file.ts';
import { runs } from '../../support/extent.ts';

const dir = mkdtempSync(join(tmpdir(), 'forager-project-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Every text that would change if a value were expanded. */
const ENVIRONMENT = { SECRET: 'warn', HOME: '/home/me', a: 'b' };

function readBack(project: ProjectAnswers) {
  const path = join(dir, 'forager.yaml');
  writeFileSync(path, projectText(project));
  const file = new ConfigFile(path, ENVIRONMENT);
  return { train: configured(file, 'train'), crawl: configured(file, 'crawl') };
}

const BASE = { dir: '.', subject: 'moss', contact: 'you@example.org', scope: [], maxPages: 10 };

/** With § for $, since a linter takes such texts for templates. */
const TEXTS = ['§{SECRET}', '§§{SECRET}', '§§§{SECRET}', '§{a}§{a}', '§§', '§&', "§'", '§{', '§{not a name}', '\\§{SECRET}', '§{SECRET'];

test.each(TEXTS.map((text) => text.replaceAll('§', () => '$')))('a text that names the environment stays as it was written: %s', (text) => {
  const seeds = [`http://x.example/?k=${text}`];
  const project = {
    ...BASE,
    seeds,
    examples: seeds,
    contact: `you+${text}@example.org`,
    scope: [`prefix:${seeds[0]}`],
    userAgent: text,
    proxy: text,
  };
  const { train, crawl } = readBack(project);
  expect(train.examples).toEqual(seeds);
  expect(crawl).toMatchObject({ seeds, scope: project.scope, contact: project.contact, userAgent: text, proxy: text });
  expect(readBack({ ...BASE, seeds, keywords: text }).train.keywords).toBe(text);
});

test('any text comes back as it was', () => {
  const text = fc.string({
    unit: fc.constantFrom('$', '{', '}', 'SECRET', 'a', '"', '\\', '#', ' ', 'ß', "'", '&'),
    minLength: 1,
    maxLength: 12,
  });
  fc.assert(
    fc.property(text, text, (one, two) => {
      const seeds = [`http://x.example/${one}`, `http://y.example/${two}`];
      const { crawl } = readBack({ ...BASE, seeds, examples: ['a'], contact: two });
      expect(crawl).toMatchObject({ seeds, contact: two });
    }),
    { numRuns: runs(100) },
  );
});
