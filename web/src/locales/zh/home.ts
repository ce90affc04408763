import type { home as en } from '../en/home.ts';
import type { Texts } from '../texts.ts';

export const home: Texts<typeof en> = {
  users: '用户',
  devices: '设备',
  ads: '广告',
  resources: '资源',
  newThisWeek: '本周新增 {{n}}',
  disabled: '{{n}} 个已禁用',
  online: '{{n}} 台在线',
  released: '{{n}} 个已发布',
  videosImages: '{{videos}} 个视频，{{images}} 张图片',
  expiringTitle_other: '{{count}} 台设备即将到期',
  expiringHint: '如需继续使用，请联系商家 {{merchant}}。',
  expiringHintNoMerchant: '请在停止播放前续期。',
  callMerchant: '拨打 {{phone}}',
  expiresOn: '{{date}} 到期',
  showAllExpiring: '查看全部',
  onlineChart: '最近 24 小时在线设备',
  playsChart: '最近 14 天播放次数',
  onlineNow: '当前 {{n}}',
  playsSum: '共 {{n}} 次',
  leading: '管理用户',
  member: '普通用户',
  changePassword: '修改密码',
  logout: '退出登录',
  apps: '设备软件',
};
