import type { home as en } from '../en/home.ts';
import type { Texts } from '../texts.ts';

export const home: Texts<typeof en> = {
  users: 'Người dùng',
  devices: 'Thiết bị',
  ads: 'Quảng cáo',
  resources: 'Tệp',
  newThisWeek: '+{{n}} tuần này',
  disabled: '{{n}} bị khóa',
  online: '{{n}} trực tuyến',
  released: '{{n}} đã phát hành',
  videosImages: '{{videos}} video, {{images}} ảnh',
  expiringTitle_other: '{{count}} thiết bị sắp hết hạn',
  expiringHint: 'Liên hệ {{merchant}} để tiếp tục sử dụng.',
  expiringHintNoMerchant: 'Hãy gia hạn trước khi thiết bị ngừng phát.',
  callMerchant: 'Gọi {{phone}}',
  expiresOn: 'đến {{date}}',
  showAllExpiring: 'Xem tất cả',
  onlineChart: 'Thiết bị trực tuyến, 24 giờ qua',
  playsChart: 'Lượt phát, 14 ngày qua',
  onlineNow: 'Hiện tại: {{n}}',
  playsSum: 'Tổng: {{n}}',
  leading: 'Người dùng quản lý',
  member: 'Thành viên',
  changePassword: 'Đổi mật khẩu',
  logout: 'Đăng xuất',
  apps: 'Phần mềm thiết bị',
};
