import { type Rng, seededRng } from '../../../src/base/core/rng.ts';
import { type Background, loadBackground } from '../../../src/reading/topic/background.ts';
import type { TrainingOptions, TrainingPage } from '../../../src/reading/topic/train-topic.ts';

const COMMON = 'the a of to and in is for on with as by this that it from are be at or page more you can use all when see also'.split(' ');
const TOPICS = {
  bread: 'dough sourdough flour yeast knead crust oven proof rye loaf starter crumb hydration baker bake rise levain gluten salt'.split(
    ' ',
  ),
  sailing: 'sail mast keel rudder tack jib halyard boom wind harbour anchor hull regatta windward leeward sheet crew skipper deck'.split(
    ' ',
  ),
  chess: 'pawn rook bishop knight queen king castle check mate gambit opening endgame board fork pin tempo square file rank'.split(' '),
  面包: '面团 酵母 面粉 烤箱 发酵 揉面 面包 黑麦 酸种 外皮 烘焙 盐 水 温度 时间'.split(' '),
  帆船: '帆船 桅杆 龙骨 舵 风向 港口 船员 甲板 比赛 航行 海浪 缆绳 船长 水手 码头'.split(' '),
} as const;

export type Topic = keyof typeof TOPICS;

/** A page of `topic`: a third of its words are of the topic, the rest are everyone's. */
export function syntheticPage(topic: Topic, seed: number, host = 'www.example.org'): TrainingPage {
  const rng = seededRng(seed * 31 + topic.length);
  const pick = (words: readonly string[]) => words[Math.floor(rng() * words.length)] ?? '';
  const word = () => pick(rng() < 0.35 ? TOPICS[topic] : COMMON);
  const text = Array.from({ length: 150 }, word).join(' ');
  return {
    id: `${topic}-${seed}`,
    url: `https://${host}/${seed}.html`,
    title: `${pick(TOPICS[topic])} ${pick(TOPICS[topic])}`,
    text,
    language: null,
  };
}

export function syntheticPages(topic: Topic, from: number, count: number, host?: string): TrainingPage[] {
  return Array.from({ length: count }, (_, i) => syntheticPage(topic, from + i, host));
}

/** The bundled background, with fewer pages so that tests are quick. */
export async function smallBackground(): Promise<Background> {
  const background = await loadBackground();
  return { ...background, sample: background.sample.filter((_, i) => i % 8 === 0) };
}

export const OPTIONS: Pick<TrainingOptions, 'name' | 'seed' | 'extractor' | 'now' | 'software'> = {
  name: 'bread',
  seed: 7,
  extractor: 'slope',
  now: Date.UTC(2024, 5, 1),
  software: 'forager test',
};

/** Random words of three letters from a small alphabet: many repeats, many bigrams. */
export function randomText(rng: Rng, words: number): string {
  const letter = () => 'abcdeäжñ'[Math.floor(rng() * 8)] ?? 'a';
  return Array.from({ length: words }, () => letter() + letter() + letter()).join(' ');
}
