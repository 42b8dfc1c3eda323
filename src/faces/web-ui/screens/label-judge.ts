/** The answers of a language model beside those of the person: a part of the screen for labels. */
import { countText } from '../../../base/text/number-text.ts';
import type { AnswerPair, ModelAnswerFacts } from '../../../study/label/judge/agreement.ts';
import type { LabelScreen } from '../label-desk.ts';
import { html, type Markup } from '../markup.ts';
import { table, urlLink } from '../pieces.ts';
import { STRINGS, unitText } from '../strings.ts';

const TEXT = STRINGS.label;

/** Nothing before a language model has answered, and nothing about a page that the person has yet to answer. */
export function judgeSection({ modelAnswers, lastPair, disagreements }: LabelScreen): Markup | null {
  if (modelAnswers === null) return null;
  return html`<section class="judge"><h2>${TEXT.judge}</h2>${lastPair && pairText(lastPair)}${factsText(modelAnswers)}
${disagreements.length > 0 && disagreementsOf(disagreements)}</section>`;
}

function pairText({ url, person, model, reason }: AnswerPair): Markup {
  return html`<p>${TEXT.judgedLast(TEXT.said[person], TEXT.said[model])} ${reason !== '' && html`<q dir="auto">${reason}</q>`} <small>${urlLink(url)}</small></p>`;
}

/** Facts about a language model's answers, as `forager label` prints them. */
function factsText({ languageModel, yes, no, agreement, untaught }: ModelAnswerFacts): Markup {
  const { pages, yesYes, noNo, kappa, interval } = agreement;
  const shared = TEXT.judgeShared(countText(pages), countText(yesYes + noNo));
  const beyondChance =
    kappa === null ? TEXT.judgeNoKappa : TEXT.judgeKappa(unitText(kappa), unitText(interval.low), unitText(interval.high));
  return html`<p>${TEXT.judgeCounts(languageModel, countText(yes), countText(no))}</p><p>${shared} ${beyondChance}</p>
<p><small>${untaught === null ? TEXT.judgeTeaches : TEXT.judgeUntaught(untaught)}</small></p>`;
}

function disagreementsOf(disagreements: LabelScreen['disagreements']): Markup {
  return table(
    TEXT.disagreements,
    [
      { head: TEXT.person, cell: ({ person }) => person },
      { head: TEXT.model, cell: ({ model }) => model },
      { head: TEXT.reason, cell: ({ reason }) => html`<span dir="auto">${reason}</span>` },
      { head: STRINGS.overview.url, cell: ({ url }) => urlLink(url) },
    ],
    disagreements,
  );
}
