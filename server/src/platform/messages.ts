import { acceptLanguage, type Language } from '@ams/contract';
import { messages as en, type Messages } from '@ams/contract/messages/en';
import { messages as zh } from '@ams/contract/messages/zh';

const MESSAGES: Partial<Record<Language, Messages>> = { en, zh };

/** The messages for an `Accept-Language` header. */
export const messagesFor = (header: string | undefined): Messages => MESSAGES[acceptLanguage(header)] ?? en;
