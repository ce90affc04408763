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
  noMail: '此系统尚未设置邮件服务器，请联系管理员。',
  webhook: 'Webhook',
  webhookHint: '您的地址，以 JSON 接收提醒，并用保存后显示在此处的密钥签名',
  secret: '签名验证密钥',
  trouble: '上一条消息未送达：{{reason}}',
  test: '发送测试',
  tested: '测试已发送',
};
