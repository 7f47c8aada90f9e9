// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

interface Erc20 {
    function balanceOf(address account) external view returns (uint256);
}

interface Erc1271 {
    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4);
}

interface DepositCollector {
    function collect(
        address payer,
        address token,
        uint256 amount,
        bytes32 channelId,
        address caller,
        bytes calldata collectorData
    ) external;
}

/// @notice x402's channels for `batch-settlement`, written from the interface and the facts of the scheme: a payer
///         deposits once and signs vouchers, and the receiver claims them. For local chains only.
/// @dev    The code is placed without its storage, so the EIP-712 domain is computed at run time.
contract BatchSettlement {
    struct ChannelConfig {
        address payer;
        address payerAuthorizer;
        address receiver;
        address receiverAuthorizer;
        address token;
        uint40 withdrawDelay;
        bytes32 salt;
    }

    struct Voucher {
        ChannelConfig channel;
        uint128 maxClaimableAmount;
    }

    struct VoucherClaim {
        Voucher voucher;
        bytes signature;
        uint128 totalClaimed;
    }

    struct ChannelState {
        uint128 balance;
        uint128 totalClaimed;
    }

    struct WithdrawalState {
        uint128 amount;
        uint40 initiatedAt;
    }

    struct ReceiverState {
        uint128 totalClaimed;
        uint128 totalSettled;
    }

    bytes32 public constant CHANNEL_CONFIG_TYPEHASH = keccak256(
        "ChannelConfig(address payer,address payerAuthorizer,address receiver,address receiverAuthorizer,address token,uint40 withdrawDelay,bytes32 salt)"
    );
    bytes32 public constant VOUCHER_TYPEHASH = keccak256("Voucher(bytes32 channelId,uint128 maxClaimableAmount)");
    bytes32 public constant REFUND_TYPEHASH = keccak256("Refund(bytes32 channelId,uint256 nonce,uint128 amount)");
    bytes32 public constant CLAIM_ENTRY_TYPEHASH =
        keccak256("ClaimEntry(bytes32 channelId,uint128 maxClaimableAmount,uint128 totalClaimed)");
    bytes32 public constant CLAIM_BATCH_TYPEHASH = keccak256(
        "ClaimBatch(ClaimEntry[] claims)ClaimEntry(bytes32 channelId,uint128 maxClaimableAmount,uint128 totalClaimed)"
    );
    uint40 public constant MIN_WITHDRAW_DELAY = 900;
    uint40 public constant MAX_WITHDRAW_DELAY = 2_592_000;

    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    // Half of the curve order: of two equivalent signatures only the one with the lower s is valid.
    uint256 private constant HIGHEST_S = 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0;

    mapping(bytes32 => ChannelState) public channels;
    mapping(bytes32 => WithdrawalState) public pendingWithdrawals;
    mapping(bytes32 => uint256) public refundNonce;
    mapping(address => mapping(address => ReceiverState)) public receivers;

    bool private transient inside;

    event ChannelCreated(bytes32 indexed channelId, ChannelConfig config);
    event ChannelClosed(bytes32 indexed channelId, ChannelConfig config);
    event Deposited(bytes32 indexed channelId, address indexed sender, uint128 amount, uint128 newBalance);
    event Claimed(bytes32 indexed channelId, address indexed sender, uint128 claimAmount, uint128 newTotalClaimed);
    event Settled(address indexed receiver, address indexed token, address indexed sender, uint128 amount);
    event Refunded(bytes32 indexed channelId, address indexed sender, uint128 amount);
    event WithdrawInitiated(bytes32 indexed channelId, uint128 amount, uint40 finalizeAfter);
    event WithdrawFinalized(bytes32 indexed channelId, address indexed sender, uint128 amount);

    error ClaimExceedsBalance();
    error ClaimExceedsCeiling();
    error DepositCollectionFailed();
    error DepositOverflow();
    error ECDSAInvalidSignature();
    error ECDSAInvalidSignatureLength(uint256 length);
    error ECDSAInvalidSignatureS(bytes32 s);
    error EmptyBatch();
    error InvalidChannel();
    error InvalidCollector();
    error InvalidRefundNonce();
    error InvalidSignature();
    error NotAuthorizedToClaim();
    error NotAuthorizedToFinalizeWithdraw();
    error NotAuthorizedToRefund();
    error NotReceiverAuthorizer();
    error NothingToWithdraw();
    error ReentrancyGuardReentrantCall();
    error SafeERC20FailedOperation(address token);
    error WithdrawAmountExceedsAvailable();
    error WithdrawDelayNotElapsed();
    error WithdrawDelayOutOfRange();
    error WithdrawalAlreadyPending();
    error WithdrawalNotPending();
    error ZeroDeposit();
    error ZeroRefund();

    modifier nonReentrant() {
        if (inside) revert ReentrancyGuardReentrantCall();
        inside = true;
        _;
        inside = false;
    }

    /// @notice Makes several calls of this contract for one sender. One that fails reverts all.
    function multicall(bytes[] calldata data) external returns (bytes[] memory results) {
        results = new bytes[](data.length);
        for (uint256 i = 0; i < data.length; i++) {
            (bool success, bytes memory answer) = address(this).delegatecall(data[i]);
            if (!success) {
                assembly ("memory-safe") {
                    revert(add(answer, 0x20), mload(answer))
                }
            }
            results[i] = answer;
        }
    }

    function deposit(ChannelConfig calldata config, uint128 amount, address collector, bytes calldata collectorData)
        external
        nonReentrant
    {
        if (
            config.payer == address(0) || config.receiver == address(0) || config.receiverAuthorizer == address(0)
                || config.token == address(0)
        ) revert InvalidChannel();
        if (config.withdrawDelay < MIN_WITHDRAW_DELAY || config.withdrawDelay > MAX_WITHDRAW_DELAY) {
            revert WithdrawDelayOutOfRange();
        }
        if (amount == 0) revert ZeroDeposit();
        if (collector == address(0)) revert InvalidCollector();
        bytes32 channelId = getChannelId(config);
        ChannelState storage channel = channels[channelId];
        if (amount > type(uint128).max - channel.balance) revert DepositOverflow();
        bool opens = channel.balance == 0 && channel.totalClaimed == 0;
        channel.balance += amount;
        uint256 before = Erc20(config.token).balanceOf(address(this));
        DepositCollector(collector).collect(config.payer, config.token, amount, channelId, msg.sender, collectorData);
        if (Erc20(config.token).balanceOf(address(this)) != before + amount) revert DepositCollectionFailed();
        if (opens) emit ChannelCreated(channelId, config);
        emit Deposited(channelId, msg.sender, amount, channel.balance);
    }

    function claim(VoucherClaim[] calldata voucherClaims) external nonReentrant {
        if (voucherClaims.length == 0) revert EmptyBatch();
        for (uint256 i = 0; i < voucherClaims.length; i++) {
            ChannelConfig calldata config = voucherClaims[i].voucher.channel;
            if (msg.sender != config.receiver && msg.sender != config.receiverAuthorizer) revert NotAuthorizedToClaim();
            claimRow(voucherClaims[i]);
        }
    }

    function claimWithSignature(VoucherClaim[] calldata voucherClaims, bytes calldata authorizerSignature)
        external
        nonReentrant
    {
        if (voucherClaims.length == 0) revert EmptyBatch();
        address authorizer = voucherClaims[0].voucher.channel.receiverAuthorizer;
        if (!isSigned(authorizer, getClaimBatchDigest(voucherClaims), authorizerSignature)) revert InvalidSignature();
        for (uint256 i = 0; i < voucherClaims.length; i++) {
            if (voucherClaims[i].voucher.channel.receiverAuthorizer != authorizer) revert NotReceiverAuthorizer();
            claimRow(voucherClaims[i]);
        }
    }

    /// @notice Pays a receiver what was claimed for it since the last time. Anyone may ask for it.
    function settle(address receiver, address token) external nonReentrant {
        ReceiverState storage state = receivers[receiver][token];
        uint128 amount = state.totalClaimed - state.totalSettled;
        if (amount == 0) return;
        state.totalSettled = state.totalClaimed;
        pay(token, receiver, amount);
        emit Settled(receiver, token, msg.sender, amount);
    }

    function initiateWithdraw(ChannelConfig calldata config, uint128 amount) external nonReentrant {
        bytes32 channelId = getChannelId(config);
        requirePayer(config);
        WithdrawalState storage withdrawal = pendingWithdrawals[channelId];
        if (withdrawal.initiatedAt != 0) revert WithdrawalAlreadyPending();
        if (amount == 0) revert NothingToWithdraw();
        if (amount > available(channelId)) revert WithdrawAmountExceedsAvailable();
        withdrawal.amount = amount;
        withdrawal.initiatedAt = uint40(block.timestamp);
        emit WithdrawInitiated(channelId, amount, uint40(block.timestamp) + config.withdrawDelay);
    }

    function finalizeWithdraw(ChannelConfig calldata config) external nonReentrant {
        bytes32 channelId = getChannelId(config);
        requirePayer(config);
        WithdrawalState memory withdrawal = pendingWithdrawals[channelId];
        if (withdrawal.initiatedAt == 0) revert WithdrawalNotPending();
        if (block.timestamp < uint256(withdrawal.initiatedAt) + config.withdrawDelay) revert WithdrawDelayNotElapsed();
        delete pendingWithdrawals[channelId];
        uint128 amount = least(withdrawal.amount, available(channelId));
        emit WithdrawFinalized(channelId, msg.sender, amount);
        payBack(channelId, config, amount);
    }

    function refund(ChannelConfig calldata config, uint128 amount) external nonReentrant {
        if (msg.sender != config.receiver && msg.sender != config.receiverAuthorizer) revert NotAuthorizedToRefund();
        refundFrom(getChannelId(config), config, amount);
    }

    function refundWithSignature(
        ChannelConfig calldata config,
        uint128 amount,
        uint256 nonce,
        bytes calldata receiverAuthorizerSignature
    ) external nonReentrant {
        bytes32 channelId = getChannelId(config);
        if (nonce != refundNonce[channelId]) revert InvalidRefundNonce();
        if (!isSigned(config.receiverAuthorizer, getRefundDigest(channelId, nonce, amount), receiverAuthorizerSignature)) {
            revert InvalidSignature();
        }
        refundFrom(channelId, config, amount);
    }

    function getChannelId(ChannelConfig calldata config) public view returns (bytes32) {
        return typedDataHash(keccak256(abi.encode(CHANNEL_CONFIG_TYPEHASH, config)));
    }

    function getVoucherDigest(bytes32 channelId, uint128 maxClaimableAmount) public view returns (bytes32) {
        return typedDataHash(keccak256(abi.encode(VOUCHER_TYPEHASH, channelId, maxClaimableAmount)));
    }

    function getRefundDigest(bytes32 channelId, uint256 nonce, uint128 amount) public view returns (bytes32) {
        return typedDataHash(keccak256(abi.encode(REFUND_TYPEHASH, channelId, nonce, amount)));
    }

    function getClaimBatchDigest(VoucherClaim[] calldata voucherClaims) public view returns (bytes32) {
        bytes32[] memory entries = new bytes32[](voucherClaims.length);
        for (uint256 i = 0; i < voucherClaims.length; i++) {
            VoucherClaim calldata row = voucherClaims[i];
            bytes32 channelId = getChannelId(row.voucher.channel);
            entries[i] = keccak256(
                abi.encode(CLAIM_ENTRY_TYPEHASH, channelId, row.voucher.maxClaimableAmount, row.totalClaimed)
            );
        }
        return typedDataHash(keccak256(abi.encode(CLAIM_BATCH_TYPEHASH, keccak256(abi.encodePacked(entries)))));
    }

    /// @dev A row that claims no more than was claimed before is passed over, and its signature is not looked at.
    function claimRow(VoucherClaim calldata row) private {
        ChannelConfig calldata config = row.voucher.channel;
        bytes32 channelId = getChannelId(config);
        ChannelState storage channel = channels[channelId];
        uint128 total = row.totalClaimed;
        if (total <= channel.totalClaimed) return;
        if (total > row.voucher.maxClaimableAmount) revert ClaimExceedsCeiling();
        if (total > channel.balance) revert ClaimExceedsBalance();
        bytes32 digest = getVoucherDigest(channelId, row.voucher.maxClaimableAmount);
        bool signed = config.payerAuthorizer == address(0)
            ? isSigned(config.payer, digest, row.signature)
            : recover(digest, row.signature) == config.payerAuthorizer;
        if (!signed) revert InvalidSignature();
        uint128 amount = total - channel.totalClaimed;
        channel.totalClaimed = total;
        receivers[config.receiver][config.token].totalClaimed += amount;
        emit Claimed(channelId, msg.sender, amount, total);
    }

    /// @dev The nonce rises even if nothing is left to pay back.
    function refundFrom(bytes32 channelId, ChannelConfig calldata config, uint128 amount) private {
        if (amount == 0) revert ZeroRefund();
        refundNonce[channelId]++;
        uint128 paid = least(amount, available(channelId));
        if (paid == 0) return;
        WithdrawalState storage withdrawal = pendingWithdrawals[channelId];
        if (withdrawal.amount <= paid) delete pendingWithdrawals[channelId];
        else withdrawal.amount -= paid;
        emit Refunded(channelId, msg.sender, paid);
        payBack(channelId, config, paid);
    }

    function payBack(bytes32 channelId, ChannelConfig calldata config, uint128 amount) private {
        ChannelState storage channel = channels[channelId];
        channel.balance -= amount;
        if (channel.balance == 0 && channel.totalClaimed == 0) emit ChannelClosed(channelId, config);
        if (amount > 0) pay(config.token, config.payer, amount);
    }

    /// @dev A token may answer nothing; what it answers must be true.
    function pay(address token, address to, uint256 amount) private {
        (bool success, bytes memory answer) = token.call(abi.encodeWithSignature("transfer(address,uint256)", to, amount));
        if (!success) {
            assembly ("memory-safe") {
                revert(add(answer, 0x20), mload(answer))
            }
        }
        if (answer.length == 0 ? token.code.length == 0 : abi.decode(answer, (uint256)) != 1) {
            revert SafeERC20FailedOperation(token);
        }
    }

    function available(bytes32 channelId) private view returns (uint128) {
        return channels[channelId].balance - channels[channelId].totalClaimed;
    }

    function requirePayer(ChannelConfig calldata config) private view {
        if (msg.sender != config.payer && msg.sender != config.payerAuthorizer) revert NotAuthorizedToFinalizeWithdraw();
    }

    function typedDataHash(bytes32 structHash) private view returns (bytes32) {
        bytes32 separator = keccak256(
            abi.encode(DOMAIN_TYPEHASH, keccak256("x402 Batch Settlement"), keccak256("1"), block.chainid, address(this))
        );
        return keccak256(abi.encodePacked(hex"1901", separator, structHash));
    }

    /// @dev By the key of an account without code, or by the answer of its code. A wrong signature never reverts.
    function isSigned(address signer, bytes32 digest, bytes calldata signature) private view returns (bool) {
        if (signer.code.length > 0) {
            (bool answered, bytes memory answer) =
                signer.staticcall(abi.encodeCall(Erc1271.isValidSignature, (digest, signature)));
            return answered && answer.length >= 32 && bytes32(answer) == bytes32(Erc1271.isValidSignature.selector);
        }
        if (signature.length != 65 || uint256(bytes32(signature[32:64])) > HIGHEST_S) return false;
        address key = ecrecover(digest, uint8(signature[64]), bytes32(signature[:32]), bytes32(signature[32:64]));
        return key != address(0) && key == signer;
    }

    function recover(bytes32 digest, bytes calldata signature) private pure returns (address key) {
        if (signature.length != 65) revert ECDSAInvalidSignatureLength(signature.length);
        bytes32 s = bytes32(signature[32:64]);
        if (uint256(s) > HIGHEST_S) revert ECDSAInvalidSignatureS(s);
        key = ecrecover(digest, uint8(signature[64]), bytes32(signature[:32]), s);
        if (key == address(0)) revert ECDSAInvalidSignature();
    }

    function least(uint128 a, uint128 b) private pure returns (uint128) {
        return a < b ? a : b;
    }
}
