import { acceptLanguage, type Language } from '@ams/contract';
import { messages as ar } from '@ams/contract/messages/ar';
import { messages as de } from '@ams/contract/messages/de';
import { messages as en, type Messages } from '@ams/contract/messages/en';
import { messages as es } from '@ams/contract/messages/es';
import { messages as fr } from '@ams/contract/messages/fr';
import { messages as ja } from '@ams/contract/messages/ja';
import { messages as ko } from '@ams/contract/messages/ko';
import { messages as pt } from '@ams/contract/messages/pt';
import { messages as ru } from '@ams/contract/messages/ru';
import { messages as tr } from '@ams/contract/messages/tr';
import { messages as vi } from '@ams/contract/messages/vi';
import { messages as zh } from '@ams/contract/messages/zh';

const MESSAGES: Record<Language, Messages> = { zh, en, de, es, fr, ar, ja, ko, pt, ru, tr, vi };

/** The messages of every language. */
export const ALL_MESSAGES: readonly Messages[] = Object.values(MESSAGES);

/** The messages for an `Accept-Language` header. */
export const messagesFor = (header: string | undefined): Messages => MESSAGES[acceptLanguage(header)];

export const messagesIn = (language: Language): Messages => MESSAGES[language];
