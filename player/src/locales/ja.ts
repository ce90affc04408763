import type { Texts } from './en.ts';

const texts: Texts = {
  product: '広告管理システム',
  pairTitle: 'この画面を接続',
  pairScan: 'スマートフォンでコードを読み取ってください',
  pairOpen: 'または {address} を開いてコードを入力してください',
  code: 'コード',
  mac: 'MAC アドレス',
  connecting: 'サーバーに接続しています…',
  waiting: '接続済み、ペアリング待ち',
  offline: 'サーバーに接続できません。再試行しています…',
  expiredTitle: 'この画面は有効期限が切れました',
  expiredContact: '引き続きご利用になるには {merchant} にお問い合わせください',
  expiredDealer: '引き続きご利用になるには販売店にお問い合わせください',
  nothing: '現在の放映予定はありません',
  downloading: 'ダウンロード中 {percent}%',
  insecure: '安全でない接続のため保存できません。ネットワークから再生しています',
};

export default texts;
