import type { errors as en } from '../en/errors.ts';
import type { Texts } from '../texts.ts';

export const errors: Texts<typeof en> = {
  chunkTitle: '页面加载失败',
  chunkHint: '网络缓慢或已断开，或已有新版本。',
  brokenTitle: '出错了',
  brokenHint: '请重新加载页面。如再次出现，请将操作过程告知经销商。',
  reload: '重新加载',
  unreachable: '服务器没有响应。请检查网络连接，然后重试。',
  notFoundTitle: '页面不存在',
  notFoundHint: '链接可能有误，或页面已被移除。',
  toHome: '返回首页',
};
