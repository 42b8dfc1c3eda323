/** A trained topic as a person should know it before a crawl: pages, terms, advice. It is not measured on pages of a crawl. */
import { countText } from '../../../base/text/number-text.ts';
import { sentence } from '../../../base/text/sentence.ts';
import { adviceLine } from '../../../reading/topic/advice.ts';
import type { ModelCard } from '../../../reading/topic/card.ts';
import { hostDoubt } from '../../../reading/topic/doubts.ts';
import { vectorsText } from '../../../reading/topic/vectors-text.ts';
import { doubtText } from '../../../study/inspect/grounds-words.ts';
import { html, type Markup } from '../markup.ts';
import { STRINGS, unitText } from '../strings.ts';

const TEXT = STRINGS.start;
/** Most terms and hosts, as `forager train` prints them. */
const SHOWN = 12;

export function cardSummary(card: ModelCard): Markup {
  const { counts, modelId, method, threshold, examplesByHost, advice, warnings, query } = card;
  const doubt = hostDoubt(card);
  const pages =
    method === 'keywords'
      ? html`<p>${TEXT.query} <bdi>${query ?? ''}</bdi></p>`
      : html`<p>${TEXT.pages(countText(counts.examples), countText(counts.duplicates), countText(counts.empty))}</p>
<ul>${examplesByHost.slice(0, SHOWN).map(({ host, examples }) => html`<li><bdi>${host}</bdi> ${countText(examples)}</li>`)}</ul>`;
  const vectors = vectorsText(card);
  return html`<p>${TEXT.model(modelId, method, unitText(threshold))}</p>${pages}${vectors !== null && html`<p>${sentence(vectors)}</p>`}
<p>${TEXT.termsFor} ${terms(card.termsFor)}</p>${method !== 'keywords' && html`<p>${TEXT.termsAgainst} ${terms(card.termsAgainst)}</p>`}
${doubt !== null && html`<p class="warning">${sentence(doubtText([doubt]))}</p>`}
${warnings.map((warning) => html`<p class="warning">${warning}</p>`)}
${advice.map((one) => html`<p class="${one.severity === 'note' ? 'note' : 'warning'}">${TEXT.severities[one.severity]} ${adviceLine(one)}</p>`)}
<p><small>${TEXT.notMeasured}</small></p>`;
}

function terms(found: ModelCard['termsFor']): Markup {
  return html`<bdi>${found
    .slice(0, SHOWN)
    .map(({ feature }) => feature)
    .join(', ')}</bdi>`;
}
