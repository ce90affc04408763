import type { alerts as en } from '../en/alerts.ts';
import type { Texts } from '../texts.ts';

export const alerts: Texts<typeof en> = {
  title: '提醒',
  hint: '设备需要处理时通知您：无论多少台，只发一条消息。',
  offline: '设备离线时',
  offlineMinutes: '超过（分钟）',
  expiring: '设备即将到期时',
  expiringDays: '剩余（天）',
  email: '电子邮件',
  emailHint: '留空则不发送',
  unconfirmed: '请输入发送到 {{email}} 的验证码。确认地址后才会发送提醒。',
  confirmTitle: '确认电子邮件地址',
  code: '验证码',
  confirmed: '电子邮件地址已确认',
  resend: '重新发送验证码',
  resent: '验证码已发送',
  noMail: '此系统尚未设置邮件服务器，请联系管理员。',
  webhook: 'Webhook',
  webhookHint: '您的地址，以 JSON 接收提醒，并用保存后显示在此处的密钥签名',
  secret: '签名验证密钥',
  deliveryFailed: '上一条消息未送达：{{reason}}',
  test: '发送测试',
  tested: '测试已发送',
};
