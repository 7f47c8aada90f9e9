// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

/// @notice A smart wallet (EIP-1271) with one owner and a switch that makes it hostile:
///         its signature check burns all its gas, or answers at any length.
contract TestWallet {
    bytes4 private constant VALID = 0x1626ba7e;
    bytes4 private constant INVALID = 0xffffffff;

    address public immutable owner;
    bool public burnsGas;
    bool private failsLong;
    uint32 private longAnswer;

    constructor(address walletOwner) {
        owner = walletOwner;
    }

    receive() external payable {}

    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
        if (burnsGas) {
            assembly {
                invalid()
            }
        }
        if (longAnswer > 0) sayAtLength();
        if (signature.length != 65) return INVALID;
        address signer = ecrecover(digest, uint8(signature[64]), bytes32(signature[:32]), bytes32(signature[32:64]));
        return signer != address(0) && signer == owner ? VALID : INVALID;
    }

    function burnGas(bool burn) external {
        burnsGas = burn;
    }

    function answerAtLength(uint32 length, bool failing) external {
        longAnswer = length;
        failsLong = failing;
    }

    /// @dev Unwritten memory reads as zeros, so a long answer costs memory alone. A failing one is an Error(string).
    function sayAtLength() private view {
        (uint256 length, bool failing) = (longAnswer, failsLong);
        assembly {
            if failing {
                mstore(0, hex"08c379a0")
                mstore(4, 0x20)
                mstore(0x24, sub(length, 0x44))
                revert(0, length)
            }
            return(0, length)
        }
    }

    function execute(address target, bytes calldata data) external payable returns (bytes memory) {
        require(msg.sender == owner, "TestWallet: not the owner");
        (bool success, bytes memory answer) = target.call{value: msg.value}(data);
        if (!success) {
            assembly ("memory-safe") {
                revert(add(answer, 0x20), mload(answer))
            }
        }
        return answer;
    }
}
