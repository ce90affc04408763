import type { alerts as en } from '../en/alerts.ts';
import type { Texts } from '../texts.ts';

export const alerts: Texts<typeof en> = {
  title: '提醒',
  offline: '设备离线',
  offlineMinutes: '超过（分钟）',
  expiring: '设备即将到期',
  expiringDays: '剩余（天）',
  watched: '设备',
  watchAll: '所有设备',
  groupDeleted: '已删除的分组',
  groupDeletedHint: '该分组已随其所属账号一起删除。在您选择其他设备之前，不会发送任何提醒。',
  email: '电子邮件',
  emailHint: '留空则不发送邮件',
  unconfirmed: '请输入发送到 {{email}} 的验证码。确认地址后才会发送提醒。',
  confirmTitle: '确认电子邮件地址',
  code: '验证码',
  confirmed: '电子邮件地址已确认',
  resend: '重新发送验证码',
  resent: '验证码已发送',
  noMail: '尚未设置邮件服务器，请联系管理员设置。',
  webhook: 'Webhook',
  webhookHint: '提醒会以签名的 JSON 发送到此网址。保存后，签名密钥显示在此处。',
  secret: '签名密钥',
  deliveryFailed: '上一条提醒发送失败：{{reason}}',
  test: '发送测试提醒',
  tested: '测试提醒已发送',
};
