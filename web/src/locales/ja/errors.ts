import type { errors as en } from '../en/errors.ts';
import type { Texts } from '../texts.ts';

export const errors: Texts<typeof en> = {
  chunkTitle: 'このページを読み込めませんでした',
  chunkHint: '接続が遅いか切れているか、新しいバージョンがあります。',
  brokenTitle: '問題が発生しました',
  brokenHint: 'ページを再読み込みしてください。繰り返し発生する場合は、操作の内容を販売店にお知らせください。',
  reload: '再読み込み',
  unreachable: 'サーバーが応答しませんでした。接続を確認してから、もう一度お試しください。',
  notFoundTitle: 'ページが見つかりません',
  notFoundHint: 'リンクが間違っているか、ページが削除された可能性があります。',
  toHome: 'ホームへ',
};
