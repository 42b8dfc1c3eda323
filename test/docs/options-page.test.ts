import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { optionsPage, schemaFile } from './options-page.ts';

const doc = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');

test('the page of options and the schema of forager.yaml are those of the table: npm run docs', () => {
  expect(doc('reference/options.md')).toBe(optionsPage());
  expect(doc('forager.schema.json')).toBe(schemaFile());
});
