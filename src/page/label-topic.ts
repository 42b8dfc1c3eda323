/** The topic that screens of labels are about, in a crawl of several: addresses name it, and so does the token of each form. */
import { readManifest } from '../crawl-dir/crawl-directory.ts';
import type { AskedDesk } from './asked-process.ts';
import { html, type Markup } from './markup.ts';
import { addressOf } from './pieces.ts';
import type { Asked, Reply, Route } from './route.ts';
import { STRINGS } from './strings.ts';

const TEXT = STRINGS.label;
/** Between the token and the name of the topic; base64url has none. */
const SEPARATOR = '.';

/** The same route for a crawl of one topic. With several, its session is that of the named topic, and without a name it lists them. */
export function ofTopic(route: Route): Route {
  if (route.of !== 'crawl') return route;
  return {
    ...route,
    answer: async (asked: Asked) => {
      const { place, form, query, formToken } = asked;
      const topics = readManifest(place.dir).topics.map(({ name }) => name);
      if (topics.length === 0) return route.answer(asked);
      const topic = topicIn(form.get('formToken')) ?? form.get('topic') ?? query.get('topic');
      if (topic === null && route.method === 'GET') return choiceOf(topics);
      const ofThis = { ...asked, formToken: tokenOf(formToken, topic), place: { ...place, desk: deskOfTopic(place.desk, topic) } };
      return shown(await route.answer(ofThis), topics, topic, route.path);
    },
  };
}

/** The token that the form of a screen was given: see `ofTopic`. */
export function tokenIn(sent: string): string {
  return sent.split(SEPARATOR, 1)[0] ?? '';
}

function tokenOf(formToken: string, topic: string | null): string {
  return topic === null ? formToken : `${formToken}${SEPARATOR}${topic}`;
}

function topicIn(sent: string | null): string | null {
  const at = sent?.indexOf(SEPARATOR) ?? -1;
  return sent === null || at < 0 ? null : sent.slice(at + 1);
}

/** Both questions are sent in one turn, and the process answers in their order: no other question comes between them. */
function deskOfTopic(desk: AskedDesk, topic: string | null): AskedDesk {
  return {
    get isRunning() {
      return desk.isRunning;
    },
    ask: async (name, given) => {
      const [, answer] = await Promise.all([desk.ask('topic', topic), desk.ask(name, given)]);
      return answer;
    },
    close: () => desk.close(),
  };
}

function choiceOf(topics: readonly string[]): Reply {
  const main = html`<h1>${TEXT.title}</h1><p>${TEXT.chooseTopic}</p>${tabs(topics, null, '/label')}`;
  return { kind: 'screen', title: TEXT.title, main };
}

function shown(reply: Reply, topics: readonly string[], topic: string | null, path: string): Reply {
  if (reply.kind === 'see' && reply.path.startsWith('/label')) return { kind: 'see', path: addressOf(reply.path, { topic: topic ?? '' }) };
  return reply.kind === 'screen' ? { ...reply, main: html`${tabs(topics, topic, path)}${reply.main}` } : reply;
}

function tabs(topics: readonly string[], topic: string | null, path: string): Markup {
  const links = topics.map(
    (name) =>
      html`<li><a href="${addressOf(path, { topic: name })}"${name === topic && html` aria-current="true"`}><bdi>${name}</bdi></a></li>`,
  );
  return html`<nav class="modes" aria-label="${TEXT.topic}"><ul>${links}</ul></nav>`;
}
