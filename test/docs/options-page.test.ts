import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { COMMANDS } from '../../src/crawling/settings/commands.ts';
import { flagOf } from '../../src/crawling/settings/setting.ts';
import { done } from '../faces/cli/forager.ts';
import { optionsPage, schemaFile } from './options-page.ts';

interface Section {
  readonly additionalProperties?: boolean;
  readonly properties?: Readonly<Record<string, unknown>>;
}
interface Schema {
  readonly $schema: string;
  readonly additionalProperties: boolean;
  /** A name that is an option of one command and a command itself has both forms. */
  readonly properties: Readonly<Record<string, Section & { readonly oneOf?: readonly Section[] }>>;
}

test('the page of options is that of the table: npm run docs', () => {
  expect(readFileSync('docs/reference/options.md', 'utf8')).toBe(optionsPage());
});

test('the schema of forager.yaml has each option of each command, and no other key', () => {
  const { $schema, additionalProperties, properties } = JSON.parse(schemaFile()) as Schema;
  expect([$schema, additionalProperties]).toEqual([expect.stringContaining('json-schema.org'), false]);
  for (const [command, settings] of Object.entries(COMMANDS)) {
    const flags = Object.entries(settings).map(([name, setting]) => flagOf(name, setting));
    const own = properties[command];
    const section = own?.oneOf?.find((form) => form.properties) ?? own;
    const keys = Object.keys(section?.properties ?? {});
    expect([command, section?.additionalProperties, keys.sort()]).toEqual([command, false, flags.sort()]);
  }
});

test('the schema of the package is the one that the command prints', async () => {
  expect(await done('config', '--schema')).toBe(schemaFile());
});
