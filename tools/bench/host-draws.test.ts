import { expect, test } from 'vitest';
import { type HostDraw, type HostPages, hostDraws } from './host-draws.ts';

const OPTIONS = { draws: 5, examples: 10, judged: 4, seed: 1 };

/** Hosts `a0`, `a1` of subject `a` and so on, their pages named after them. */
function web(counts: Readonly<Record<string, number>>, pages = 12): HostPages<string>[] {
  return Object.entries(counts).flatMap(([subject, hosts]) =>
    Array.from({ length: hosts }, (_, i) => ({
      subject,
      host: `${subject}${i}`,
      pages: Array.from({ length: pages }, (_, page) => `${subject}${i}/${page}`),
    })),
  );
}

function hostsOf(pages: readonly string[]): string[] {
  return [...new Set(pages.map((page) => page.slice(0, page.indexOf('/'))))];
}

test.each(hostDraws(web({ a: 2, b: 3, c: 4, d: 1 }), OPTIONS))('draw $# of $subject: a host trains, backs or is judged', (draw) => {
  const groups = [hostsOf(draw.training), draw.background.map(({ host }) => host), hostsOf(draw.onTopic), hostsOf(draw.others)];
  expect(groups.every(({ length }) => length > 0)).toBe(true);
  expect(new Set(groups.flat()).size).toBe(groups.flat().length);
  expect(groups.flat().length).toBe(10);
  const own = [...draw.training, ...draw.onTopic];
  expect(own.every((page) => page.startsWith(draw.subject))).toBe(true);
  expect([...(groups[1] ?? []), ...draw.others].some((name) => name.startsWith(draw.subject))).toBe(false);
});

test('subjects of one host are only other subjects', () => {
  const draws = hostDraws(web({ a: 2, b: 1, c: 1 }), OPTIONS);
  expect(draws.map(({ subject }) => subject)).toEqual(Array(OPTIONS.draws).fill('a'));
});

test('all hosts of a subject come to be judged', () => {
  const draws = hostDraws(web({ a: 4, b: 2 }), OPTIONS).filter(({ subject }) => subject === 'a');
  expect(hostsOf(draws.flatMap(({ onTopic }) => onTopic)).sort()).toEqual(['a0', 'a1', 'a2', 'a3']);
});

test('training pages are dealt evenly over hosts, judged ones are capped by host', () => {
  const [draw] = hostDraws(web({ a: 4, b: 4 }), OPTIONS);
  expect(perHost(draw?.training ?? [])).toEqual([5, 5]);
  expect(perHost([...(draw?.onTopic ?? []), ...(draw?.others ?? [])])).toEqual([4, 4, 4, 4]);
});

test('fewer training pages come first in more, so two sizes are judged on the same pages', () => {
  const hosts = web({ a: 2, b: 3 });
  const small = hostDraws(hosts, { ...OPTIONS, examples: 4 });
  const large = hostDraws(hosts, OPTIONS);
  const rest = ({ onTopic, others, background }: HostDraw<string>) => ({ onTopic, others, background });
  expect(small.map(rest)).toEqual(large.map(rest));
  expect(small.map(({ training }) => training)).toEqual(large.map(({ training }) => training.slice(0, 4)));
});

function perHost(pages: readonly string[]): number[] {
  return hostsOf(pages).map((host) => pages.filter((page) => page.startsWith(`${host}/`)).length);
}
