import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { openapi } from '../../../src/reading/documents/kinds/openapi.ts';
import { documentIn, linesOf, readWith } from './documents.ts';

/** A herbarium that lends specimens. Operations, counted by hand: GET and POST of one path, GET, PATCH and DELETE of another, and HEAD by reference: 6. */
const HERBARIUM = {
  openapi: '3.0.3',
  info: {
    title: 'Herbarium <loans>',
    version: '1.4.0',
    description: 'Lends **specimens** of mosses.\n\n- by [mail](https://post.example/)\n- by hand',
  },
  servers: [{ url: 'https://{region}.herbarium.example/v1', variables: { region: { default: 'eu' } } }, { url: '/v1' }],
  tags: [
    { name: 'specimens', description: 'Dried plants', externalDocs: { url: 'https://docs.example/plants', description: 'Guide' } },
    { name: 'bare' },
  ],
  paths: {
    '/specimens': {
      parameters: [{ $ref: '#/components/parameters/page' }],
      get: {
        summary: 'List specimens',
        tags: ['specimens'],
        responses: { '200': { description: 'A page of specimens' }, default: { $ref: '#/components/responses/Fault' } },
      },
      post: {
        operationId: 'addSpecimen',
        description: 'Adds one.',
        requestBody: { description: 'The new specimen' },
        responses: { '201': { description: 'Added' } },
      },
    },
    '/specimens/{id}': {
      summary: 'One specimen',
      get: { summary: 'Fetch', parameters: [{ name: 'id', in: 'path', description: 'Number on the sheet' }], responses: {} },
      patch: { summary: 'Correct', responses: {} },
      delete: { summary: 'Withdraw', deprecated: true, responses: {} },
      'x-internal': { summary: 'not an operation' },
    },
    '/health': { $ref: '#/components/pathItems/health' },
    'x-hidden': { get: { summary: 'not a path' } },
  },
  components: {
    parameters: { page: { name: 'page', in: 'query', description: 'Number of the page' } },
    responses: { Fault: { description: 'Something went wrong' } },
    pathItems: { health: { head: { summary: 'Is it up?' } } },
    schemas: {
      Specimen: {
        description: 'A sheet with a plant',
        properties: { taxon: { type: 'string', description: 'Accepted name' }, state: { enum: ['lent', 'here'] } },
      },
      Loan: { allOf: [{ $ref: '#/components/schemas/Specimen' }, { properties: { until: { description: 'Day of return' } } }] },
    },
  },
};
const OPERATIONS = [
  ['GET', '/specimens', 'List specimens'],
  ['POST', '/specimens', 'addSpecimen'],
  ['GET', '/specimens/{id}', 'Fetch'],
  ['PATCH', '/specimens/{id}', 'Correct'],
  ['DELETE', '/specimens/{id}', 'Withdraw'],
  ['HEAD', '/health', 'Is it up?'],
].map(([method, path, summary]) => ({ method, path, summary }));

const json = (value: unknown) => Buffer.from(JSON.stringify(value));
const yaml = (value: unknown) => Buffer.from(stringify(value));

test.each([
  ['JSON', json(HERBARIUM)],
  ['YAML', yaml(HERBARIUM)],
])('version 3.0 in %s: operations, addresses and descriptions', async (_, bytes) => {
  expect(openapi.looksLike(bytes)).toBe(true);
  const { facts, body } = await documentIn(openapi, bytes, 'https://herbarium.example/api/description');
  expect(facts.title).toBe('Herbarium <loans>');
  expect(facts.api).toEqual({
    name: 'Herbarium <loans>',
    version: '1.4.0',
    operations: OPERATIONS,
    endpoints: ['https://eu.herbarium.example/v1', '/v1'],
  });
  expect(linesOf(body)).toEqual(
    (
      'Herbarium &lt;loans&gt;|Lends specimens of mosses.|by mail|by hand|https://eu.herbarium.example/v1|/v1|specimens|Dried plants|Guide|' +
      '/specimens|GET: List specimens|page: Number of the page|200: A page of specimens|default: Something went wrong|POST: addSpecimen|Adds one.|' +
      'page: Number of the page|The new specimen|201: Added|/specimens/{id}|One specimen|GET: Fetch|id: Number on the sheet|PATCH: Correct|DELETE: Withdraw|' +
      '/health|HEAD: Is it up?|Specimen|A sheet with a plant|taxon: Accepted name|state: lent, here|Loan|until: Day of return'
    ).split('|'),
  );
  expect(body).toContain('<a href="https://herbarium.example/v1">/v1</a>');
  expect(body).toContain('by <a href="https://post.example/">mail</a>');
});

test('version 2: addresses of host and schemes, definitions', async () => {
  const two = {
    swagger: '2.0',
    info: { title: 'Tides', version: '2', description: '<p>Hours of <b>high</b> water.</p>' },
    host: 'tides.example',
    basePath: '/api',
    schemes: ['https', 'http'],
    paths: { '/ports': { get: { summary: 'Ports' }, options: {} }, '/ports/{port}/tides': { get: { summary: 'Tides' }, put: null } },
    definitions: { Tide: { title: 'One tide', properties: { height: { description: 'In metres' } } } },
  };
  const { facts, body } = await documentIn(openapi, json(two));
  expect(facts.api).toEqual({
    name: 'Tides',
    version: '2',
    operations: [
      { method: 'GET', path: '/ports', summary: 'Ports' },
      { method: 'OPTIONS', path: '/ports', summary: null },
      { method: 'GET', path: '/ports/{port}/tides', summary: 'Tides' },
    ],
    endpoints: ['https://tides.example/api', 'http://tides.example/api'],
  });
  expect(linesOf(body)).toContain('Tide: One tide');
  expect(body).toContain('<p>Hours of <b>high</b> water.</p>');
});

test('version 3.1: webhooks are text and no operations; without paths there are none', async () => {
  const { facts, body } = await documentIn(
    openapi,
    yaml({
      openapi: '3.1.0',
      info: { title: 'Alarm', version: 1, summary: 'Rings' },
      webhooks: { flood: { post: { summary: 'Water rises' } } },
    }),
  );
  expect(facts.api).toEqual({ name: 'Alarm', version: '1', operations: [], endpoints: [] });
  expect(linesOf(body)).toEqual(['Alarm', 'Rings', 'flood', 'POST: Water rises']);
});

test('pages, other JSON and YAML, and texts about descriptions are not descriptions', () => {
  const markdown = 'Guide\n=====\n\nBegin with\n\nopenapi: 3.0.0\ninfo:\n  title: x\n';
  const others = [
    '<html><body><pre>openapi: 3.0.0\ninfo:\n</pre>',
    markdown,
    JSON.stringify({ name: 'x', swagger: true, info: '' }),
    JSON.stringify({ tools: { openapi: '3.0.0', info: {} } }),
    JSON.stringify({ text: '"openapi":"3.0.0", "info"' }),
    JSON.stringify([{ openapi: '3.0.0', info: {} }]),
    JSON.stringify({ openapi: '4.0.0', info: {} }),
    'a:\n  openapi: 3.0.0\ninfo: x\n',
    'openapi: yes\ninfo: x\n',
    '',
    '{',
  ];
  expect(others.map((text) => openapi.looksLike(Buffer.from(text)))).toEqual(others.map(() => false));
  const late = JSON.stringify({ basePath: '/', info: { swagger: '1.0' }, paths: {}, swagger: '2.0' });
  const commented = '\ufeff# A description\n---\nservers:\n- url: /v1\n  description: "a: b"\n"openapi": "3.1.0"\ninfo:\n';
  expect([late, ` \n${late}`, commented].map((text) => openapi.looksLike(Buffer.from(text)))).toEqual([true, true, true]);
});

test('damage, rings and bombs are outcomes', async () => {
  const failed = (text: string) => readWith(openapi, Buffer.from(text));
  expect(await failed('{"openapi":"3.0.0","info":{')).toMatchObject({
    kind: 'failed',
    reason: 'decode',
    detail: expect.stringContaining('not JSON'),
  });
  expect(await failed('openapi: 3.0.0\ninfo: [')).toMatchObject({ kind: 'failed', detail: expect.stringContaining('not YAML') });
  expect(await failed('{"info":{}}')).toMatchObject({ detail: 'the file has no version of OpenAPI at its top' });
  expect(await failed('{"openapi":"3.0.0","info":{}}')).toEqual({ kind: 'refused', reason: 'no-text', pages: null });
  const ring = {
    openapi: '3.0.0',
    info: { title: 'Ring' },
    paths: {
      '/a': { $ref: '#/paths/~1a' },
      '/b': { $ref: 'other.yaml#/b' },
      '/c': { get: { parameters: [{ $ref: '#/nowhere/%zz' }, 7, null] } },
    },
  };
  expect((await documentIn(openapi, json(ring))).facts.api?.operations).toEqual([{ method: 'GET', path: '/c', summary: null }]);
  const laughs = [
    'a: &a [x, x]',
    ...Array.from({ length: 20 }, (_, i) => `b${i}: &b${i} [${`*${i === 0 ? 'a' : `b${i - 1}`},`.repeat(9)}]`),
  ];
  expect(await failed(`openapi: 3.0.0\ninfo: {title: x}\n${laughs.join('\n')}`)).toMatchObject({
    kind: 'failed',
    detail: expect.stringContaining('alias'),
  });
  const long = await documentIn(openapi, Buffer.from(`openapi: 3.0.0\ninfo: {title: Long}\n${'#\n'.repeat(100_000)}paths: {}\n`));
  expect(long.facts).toMatchObject({ title: 'Long', cut: true });
});
