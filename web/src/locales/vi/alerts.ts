import type { alerts as en } from '../en/alerts.ts';
import type { Texts } from '../texts.ts';

export const alerts: Texts<typeof en> = {
  title: 'Cảnh báo',
  hint: 'Được báo khi thiết bị cần bạn: một tin nhắn, dù bao nhiêu thiết bị.',
  offline: 'Khi thiết bị ngoại tuyến',
  offlineMinutes: 'Lâu hơn (phút)',
  expiring: 'Khi thiết bị sắp hết hạn',
  expiringDays: 'Trong vòng (ngày)',
  email: 'Email',
  emailHint: 'Để trống nếu không cần',
  unconfirmed: 'Nhập mã đã gửi tới {{email}}. Cảnh báo sẽ được gửi sau khi xác nhận địa chỉ.',
  confirmTitle: 'Xác nhận địa chỉ email',
  code: 'Mã',
  confirmed: 'Đã xác nhận địa chỉ email',
  resend: 'Gửi mã mới',
  resent: 'Đã gửi mã',
  noMail: 'Hệ thống chưa có máy chủ thư; quản trị viên có thể thiết lập.',
  webhook: 'Webhook',
  webhookHint: 'Địa chỉ của bạn nhận cảnh báo dạng JSON, ký bằng khóa hiện ở đây sau khi lưu',
  secret: 'Khóa kiểm tra chữ ký',
  deliveryFailed: 'Tin nhắn trước không đến được: {{reason}}',
  test: 'Gửi thử',
  tested: 'Đã gửi thử',
};
