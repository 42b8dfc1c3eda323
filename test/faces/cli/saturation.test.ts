import type { CrawlStatus } from 'forager';
import { afterAll, expect, test } from 'vitest';
import { needsText, saturationLine } from '../../../src/faces/cli/grounds-text.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { done, foragerWith } from './forager.ts';
import { smallWeb, trainedOnAll } from './small-web.ts';

const small = smallWeb();
afterAll(() => small.close());

wholeTest(
  'a model that finds nearly all pages on topic: said at the end and by status with the commands, until an audit measures it',
  async () => {
    const { proxy } = await small.serve();
    const dir = small.path('crawl');
    const options = ['--seeds', ...small.seeds, '--proxy', proxy, '--delay', '0ms', '--contact', 'me@example.org'];
    const crawled = await done('crawl', dir, '--topic', await trainedOnAll(small), '--max-pages', '240', ...options);
    const notice = new RegExp(
      `^the model may no longer distinguish pages: (?:1[789]\\d|200) of the last 200 pages on topic by the model.*forager label audit ${dir}; train it with answers: npx forager label ${dir}; or train another with unlabelled pages of these sites: npx forager train --pool$`,
      'm',
    );
    expect(crawled).toMatch(notice);
    expect(await done('status', dir)).toMatch(notice);
    const { saturation } = JSON.parse(await done('status', dir, '--json')) as CrawlStatus;
    expect(saturation?.signs).toContain('nearly-all');
    expect(saturation?.last.pages).toBe(200);
    await foragerWith('y\n'.repeat(6), 'label', 'audit', dir, '--count', '6');
    expect(await done('status', dir)).not.toContain('no longer distinguish');
    expect((JSON.parse(await done('status', dir, '--json')) as CrawlStatus).saturation).toBeNull();
  },
);

test('in the progress line the notice is short; several topics get no command that refuses them', () => {
  const last = { pages: 200, onTopic: 187 };
  expect(needsText('c', { saturated: null, questions: 0 })).toBe('');
  expect(needsText('c', { saturated: last, questions: 0 })).toBe(
    '; 187 of the last 200 pages on topic by the model, measure it: npx forager label audit c',
  );
  expect(needsText('c', { saturated: last, questions: 15 })).toBe('; 15 questions wait for answers: npx forager label c');
  expect(saturationLine('c', null, false)).toBeNull();
  expect(saturationLine('c', { signs: ['unlike-training'], last, terms: [] }, false)).toBeNull();
  expect(saturationLine('c', { signs: ['nearly-all', 'common-terms'], last, terms: ['the', 'of', 'my', 'home'] }, false)).toBe(
    'the model may no longer distinguish pages: 187 of the last 200 pages on topic by the model; 4 of its 10 strongest terms are function words or words of templates (the, of, my, home). Remedy: measure it: npx forager label audit c; train it with answers: npx forager label c; or train another with unlabelled pages of these sites: npx forager train --pool',
  );
  expect(saturationLine('c', { signs: ['nearly-all'], last, terms: [] }, true)).not.toContain('forager label');
});
