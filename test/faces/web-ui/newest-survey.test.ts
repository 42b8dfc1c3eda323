/** Many tabs ask a running crawl no more than one, and a crawl that does not fetch is counted each time. */
import { expect, test } from 'vitest';
import { NewestSurvey } from '../../../src/faces/web-ui/newest-survey.ts';
import type { DatedSurvey } from '../../../src/faces/web-ui/readings.ts';

const clock = { time: 0, now: () => clock.time };

/** The numbers of a survey do not matter here. */
function surveys() {
  const asked: boolean[] = [];
  const ask = async ({ fetches }: { readonly fetches: boolean }): Promise<DatedSurvey> => {
    asked.push(fetches);
    if (asked.length === 3) throw new Error('the crawl cannot be read');
    return { at: clock.time, next: clock.time + 100 } as DatedSurvey;
  };
  return { newest: new NewestSurvey(ask, clock), asked };
}

test('it asks once until the next is due, for all who ask meanwhile', async () => {
  const { newest, asked } = surveys();
  expect(newest.isDue).toBe(true);
  const first = await Promise.all([newest.of(true), newest.of(true)]);
  clock.time = 99;
  expect(newest.isDue).toBe(false);
  expect([...first, await newest.of(true)].map(({ at }) => at)).toEqual([0, 0, 0]);
  expect(asked).toEqual([true]);
  clock.time = 100;
  expect(newest.isDue).toBe(true);
  expect((await newest.of(true)).at).toBe(100);
  clock.time = 200;
  await expect(newest.of(true)).rejects.toThrow('cannot be read');
  expect((await newest.of(true)).at).toBe(200);
  expect(asked).toHaveLength(4);
});

test('it asks each time about a crawl that does not fetch', async () => {
  const { newest, asked } = surveys();
  await newest.of(true);
  await newest.of(false);
  expect(asked).toEqual([true, false]);
});
