import { fillMessage } from '@ams/contract/messages/explain';
import i18next from 'i18next';
import { contractMessages } from '../../platform/i18n.ts';
import { formatBytes } from '../../ui/format/format.ts';
import type { Refusal } from './check.ts';

/** Why a file is not sent, in the language shown. */
export function refusalText(refusal: Refusal): string {
  const t = i18next.getFixedT(null, 'files');
  const { errors, rules } = contractMessages();
  switch (refusal.kind) {
    case 'format':
      return fillMessage(errors.UNSUPPORTED_FORMAT, { t: refusal.formats });
    case 'size':
      return fillMessage(errors.TOO_LARGE, { limit: formatBytes(i18next.language, refusal.limit) });
    case 'name':
      return rules[refusal.rule];
    case 'count':
      return t('refusedCount', { max: refusal.max });
    case 'empty':
      return t('refusedEmpty');
    case 'unreadable':
      return t('refusedUnreadable');
    case 'elsewhere':
      return i18next.t('uploadedElsewhere');
  }
}
