import type { alerts as en } from '../en/alerts.ts';
import type { Texts } from '../texts.ts';

export const alerts: Texts<typeof en> = {
  title: 'Cảnh báo',
  offline: 'Thiết bị ngoại tuyến',
  offlineMinutes: 'Lâu hơn (phút)',
  expiring: 'Thiết bị sắp hết hạn',
  expiringDays: 'Trong vòng (ngày)',
  watched: 'Thiết bị',
  watchAll: 'Tất cả thiết bị',
  groupDeleted: 'Nhóm đã xóa',
  groupDeletedHint:
    'Nhóm đã bị xóa cùng với tài khoản sở hữu nhóm. Cảnh báo sẽ không được gửi cho đến khi bạn chọn thiết bị khác.',
  email: 'Email',
  emailHint: 'Để trống để tắt email',
  unconfirmed: 'Nhập mã đã gửi tới {{email}}. Cảnh báo sẽ được gửi sau khi xác nhận địa chỉ.',
  confirmTitle: 'Xác nhận địa chỉ email',
  code: 'Mã',
  confirmed: 'Đã xác nhận địa chỉ email',
  resend: 'Gửi mã mới',
  resent: 'Đã gửi mã',
  noMail: 'Chưa thiết lập máy chủ thư. Hãy nhờ quản trị viên thiết lập.',
  webhook: 'Webhook',
  webhookHint: 'Cảnh báo được gửi đến URL này dưới dạng JSON có chữ ký. Khóa ký hiển thị ở đây sau khi lưu.',
  secret: 'Khóa ký',
  deliveryFailed: 'Không gửi được cảnh báo gần nhất: {{reason}}',
  test: 'Gửi cảnh báo thử',
  tested: 'Đã gửi cảnh báo thử',
};
