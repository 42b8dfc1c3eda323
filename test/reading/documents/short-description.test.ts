import { expect, test } from 'vitest';
import type { DocumentKind } from '../../../src/reading/documents/document-kind.ts';
import { openapi } from '../../../src/reading/documents/kinds/openapi.ts';
import { wsdl } from '../../../src/reading/documents/kinds/wsdl.ts';
import { openDocument } from '../../../src/reading/documents/open-document.ts';
import { urlOf } from '../../support/frontier-values.ts';

async function described(kind: DocumentKind, text: string) {
  const opened = await openDocument({ url: urlOf('http://moor.example/api'), headers: {}, body: Buffer.from(text) }, kind);
  const api = opened.kind === 'page' ? opened.page.document?.api : undefined;
  if (api === undefined) throw new Error('no description');
  return api;
}

const long = 'peat'.repeat(5000);
const DESCRIPTION = {
  openapi: '3.1.0',
  info: { title: long, version: long },
  servers: Array.from({ length: 3000 }, (_, n) => ({ url: `https://s${n}.example/${long.slice(0, 1200)}` })),
  paths: { [`/${long}`]: { get: { summary: long } } },
};
const WSDL = `<definitions xmlns="http://schemas.xmlsoap.org/wsdl/"><portType name="P"><operation name="${long}"><documentation>${long}</documentation></operation></portType>
  <service name="${long}">${`<port><address location="https://a.example/${long}"/></port>`.repeat(2)}</service></definitions>`;
const SWAGGER = `swagger: "2.0"\ninfo: {title: ${long}, version: ${long}}\nhost: ${long}\npaths: {/${long}: {put: {operationId: ${long}}}}\n`;

test.each([
  ['OpenAPI 3.1', openapi, JSON.stringify(DESCRIPTION), 1000],
  ['OpenAPI 2 in YAML', openapi, SWAGGER, 1],
  ['WSDL', wsdl, WSDL, 1],
])('names, versions, paths and addresses of %s have the length of names', async (_, kind, text, endpoints) => {
  const api = await described(kind, text);
  const [operation] = api.operations;
  expect([api.name.length, api.endpoints.length, Math.max(...api.endpoints.map((url) => url.length)) <= 1000]).toEqual([
    1000,
    endpoints,
    true,
  ]);
  expect([operation?.path.length, operation?.summary?.length]).toEqual([1000, 300]);
  expect(api.version?.length ?? 1000).toBe(1000);
});

test('short ones stay as they are', async () => {
  const info = { title: 'Peat levels', version: '1.2' };
  const text = JSON.stringify({ openapi: '3.0.1', info, servers: [{ url: '/v1' }], paths: { '/bogs': { get: { summary: 'Bogs' } } } });
  expect(await described(openapi, text)).toEqual({
    name: 'Peat levels',
    version: '1.2',
    operations: [{ method: 'GET', path: '/bogs', summary: 'Bogs' }],
    endpoints: ['/v1'],
  });
});
