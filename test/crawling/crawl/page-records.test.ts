import { expect, test } from 'vitest';
import { NO_METADATA } from '../../../src/base/core/no-metadata.ts';
import type { Parts } from '../../../src/base/core/parts.ts';
import type { FrontierEntry, RecordId } from '../../../src/base/core/types.ts';
import { toRecord } from '../../../src/crawling/crawl/page-records.ts';
import { pageOf } from '../../corpus/records/samples.ts';
import { hostOf, urlOf } from '../../support/frontier-values.ts';

const URL = 'https://a.test/';
const ENTRY: FrontierEntry = {
  url: urlOf(URL),
  task: { kind: 'page' },
  host: hostOf(URL),
  priority: 1,
  depth: 0,
  offTopicDepth: 0,
  edge: null,
  attempts: 0,
  redirects: 0,
};
const EXTRACTION = {
  title: '',
  text: '',
  otherText: '',
  lang: null,
  noindex: false,
  nofollow: false,
  metadata: NO_METADATA,
  fields: {},
  charset: 'utf-8',
  warnings: [],
};

test('the record of a page says why the certificate of its server was not to be trusted, and nothing where it was', () => {
  const parts = { topic: { id: 'm', threshold: 0.5 }, newRecordId: () => 'urn:uuid:1' as RecordId } as Parts;
  const recordOf = (known: Parameters<typeof pageOf>[2]) =>
    toRecord(ENTRY, pageOf(URL, 'x', known), EXTRACTION, { relevance: 0.9 }, 'x', parts);
  expect(recordOf({ certificate: 'CERT_HAS_EXPIRED' })).toMatchObject({ url: URL, relevance: 0.9, certificate: 'CERT_HAS_EXPIRED' });
  expect(recordOf({})).not.toHaveProperty('certificate');
});

test('the record of a page has its product, and nothing without one', () => {
  const parts = { topic: { id: 'm', threshold: 0.5 }, newRecordId: () => 'urn:uuid:1' as RecordId } as Parts;
  const product = { name: 'Kettle', sources: ['json-ld'] } as const;
  const recordOf = (read: typeof EXTRACTION) => toRecord(ENTRY, pageOf(URL, 'x'), read, { relevance: 0.9 }, 'x', parts);
  expect(recordOf({ ...EXTRACTION, ...{ product } })).toHaveProperty('product', product);
  expect(recordOf(EXTRACTION)).not.toHaveProperty('product');
});
