import type { Texts } from './en.ts';

const texts: Texts = {
  product: 'Hệ thống quản lý quảng cáo',
  pairTitle: 'Kết nối màn hình này',
  pairScan: 'Quét mã bằng điện thoại của bạn',
  pairOpen: 'Hoặc mở {address} và nhập mã',
  code: 'Mã',
  mac: 'Địa chỉ MAC',
  connecting: 'Đang kết nối với máy chủ…',
  waiting: 'Đã kết nối, đang chờ ghép nối',
  offline: 'Không có kết nối với máy chủ. Đang thử lại…',
  expiredTitle: 'Màn hình này đã hết hạn',
  expiredContact: 'Vui lòng liên hệ {merchant} để tiếp tục sử dụng',
  expiredDealer: 'Vui lòng liên hệ đại lý để tiếp tục sử dụng',
  nothing: 'Hiện không có nội dung nào được lên lịch',
  downloading: 'Đang tải xuống {percent}%',
  insecure: 'Kết nối không an toàn: không thể lưu trữ, đang phát từ mạng',
};

export default texts;
