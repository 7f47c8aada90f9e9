// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

interface Erc3009 {
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) external;
    function transfer(address to, uint256 value) external returns (bool);
}

/// @notice Takes a deposit of `BatchSettlement` by EIP-3009, written from the facts of the scheme. The nonce that the
///         payer signs is made of the channel and a salt, so an authorization fits one channel only.
contract BatchErc3009Collector {
    address public immutable settlement;

    error OnlyX402BatchSettlement();

    constructor(address batchSettlement) {
        settlement = batchSettlement;
    }

    function collect(
        address payer,
        address token,
        uint256 amount,
        bytes32 channelId,
        address,
        bytes calldata collectorData
    ) external {
        if (msg.sender != settlement) revert OnlyX402BatchSettlement();
        (uint256 validAfter, uint256 validBefore, uint256 salt, bytes memory signature) =
            abi.decode(collectorData, (uint256, uint256, uint256, bytes));
        bytes32 nonce = keccak256(abi.encode(channelId, salt));
        Erc3009(token).receiveWithAuthorization(payer, address(this), amount, validAfter, validBefore, nonce, signature);
        require(Erc3009(token).transfer(settlement, amount), "BatchErc3009Collector: transfer failed");
    }
}
